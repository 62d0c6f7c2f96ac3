import { ok, type Result } from '../../../../shared/result.ts';
import { compareBytes } from '../../workspace/byteOrder.ts';
import type { Look } from '../../workspace/look.ts';
import type { ResolvedPath } from '../../workspace/sandbox.ts';
import { ignoreRules } from '../textSearch/ignoreRules.ts';
import { listFiles } from '../textSearch/listFiles.ts';
import { findRipgrep, runRipgrep } from '../textSearch/ripgrep.ts';
import { placeOf, relativeName, typeArgs } from '../textSearch/searchScope.ts';
import { languageOf, sourceFilesGlob } from './languages.ts';
import { definitionPattern, wholeName } from './namePattern.ts';

/**
 * Source files (below the root, in byte order) in whose text a name may be defined or used: only these are worth parsing.
 * Errors: CANCELLED, UNAVAILABLE.
 */
export async function candidateFiles(
  look: Look,
  search: { readonly name: string; readonly start: ResolvedPath; readonly definitionsOnly: boolean },
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  const { name, start, definitionsOnly } = search;
  const place = placeOf(look, start);
  if (start.kind === 'file') return ok(languageOf(place.below) ? [place.below] : []);
  const names: string[] = [];
  const binary = await findRipgrep();
  if (binary === undefined) {
    const listed = await listFiles(look, start, {
      signal,
      take: (file) => {
        if (languageOf(file)) names.push(file);
      },
    });
    return listed.ok ? ok(names.sort(compareBytes)) : listed;
  }
  const rules = ignoreRules(place);
  let rest = '';
  const decoder = new TextDecoder();
  const ended = await runRipgrep(binary, {
    args: [
      '--files-with-matches',
      '--null',
      '--max-filesize=4M',
      ...rules.args,
      ...typeArgs(sourceFilesGlob),
      '--regexp',
      definitionsOnly ? definitionPattern(name) : wholeName(name),
      '--',
      `./${place.below === '.' ? '' : place.below}`,
    ],
    cwd: place.root,
    signal,
    take: (chunk) => {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\0');
      rest = parts.pop() ?? '';
      for (const given of parts) {
        const file = relativeName(given);
        if (languageOf(file) && !rules.hides(file)) names.push(file);
      }
      return true;
    },
  });
  return ended.ok ? ok(names.sort(compareBytes)) : ended;
}
