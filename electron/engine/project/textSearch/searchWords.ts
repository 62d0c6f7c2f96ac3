import { ok, type Result } from '../../../../shared/result.ts';
import { splitLines, withoutLineEnd } from '../../../../shared/text/lines.ts';
import type { Look } from '../../workspace/look.ts';
import type { ResolvedPath } from '../../workspace/sandbox.ts';
import { ignoreRules } from './ignoreRules.ts';
import { countForbidden, listFiles } from './listFiles.ts';
import { findRipgrep, runRipgrep } from './ripgrep.ts';
import { placeOf, relativeName } from './searchScope.ts';
import { createWordRank, type RankedFile } from './wordRank.ts';

export interface RankedFiles {
  readonly results: readonly RankedFile[];
  /** Files with at least one of the words. */
  readonly total: number;
  readonly truncated: boolean;
}

/** More lines of one file say nothing more about it. */
const maxLinesPerFile = 200;

/**
 * The files in which these words (in lower case) stand, the best first. `accepts` is asked with the path in the project.
 * Errors: CANCELLED, UNAVAILABLE.
 */
export async function searchWords(
  look: Look,
  search: {
    readonly words: readonly string[];
    readonly start: ResolvedPath;
    readonly accepts: (file: string) => boolean;
  },
  signal: AbortSignal,
): Promise<Result<RankedFiles>> {
  await countForbidden(look, search.start, signal);
  const place = placeOf(look, search.start);
  const binary = await findRipgrep();
  if (binary === undefined) return rankByReading(look, search, signal);
  const rules = ignoreRules(place);
  const rank = createWordRank(search.words, (name) => {
    const file = place.fileOf(name);
    return search.accepts(file) && !rules.hides(name) ? file : undefined;
  });
  let rest = '';
  const decoder = new TextDecoder();
  const ended = await runRipgrep(binary, {
    args: [
      '--null',
      '--line-number',
      '--no-heading',
      '--with-filename',
      '--color=never',
      '--crlf',
      `--max-count=${maxLinesPerFile}`,
      '--max-columns=600',
      '--max-columns-preview',
      '--max-filesize=10M',
      ...rules.args,
      '--ignore-case',
      '--fixed-strings',
      ...search.words.flatMap((word) => ['--regexp', word]),
      '--',
      `./${place.below === '.' ? '' : place.below}`,
    ],
    cwd: place.root,
    signal,
    take: (chunk) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        // `name NUL number : text`; what ripgrep says about binary files has no number.
        const found = /^([^\0]+)\0(\d+):/.exec(line);
        if (found?.[1] === undefined) continue;
        rank.add(relativeName(found[1]), Number(found[2]), line.slice(found[0].length).replace(/\r$/, ''));
      }
      return true;
    },
  });
  return ended.ok ? ok(rank.end()) : ended;
}

/** The same without ripgrep: every file is read. */
export async function rankByReading(
  look: Look,
  { words, start, accepts }: Parameters<typeof searchWords>[1],
  signal: AbortSignal,
): Promise<Result<RankedFiles>> {
  const names: string[] = [];
  const place = placeOf(look, start);
  const take = (name: string, isHidden: () => boolean) => {
    if (!isHidden()) names.push(name);
  };
  const listed = await listFiles(look, start, { signal, take });
  if (!listed.ok) return listed;
  const rank = createWordRank(words, (file) => file);
  for (const name of names) {
    if (signal.aborted) break;
    const file = place.fileOf(name);
    if (!accepts(file)) continue;
    const read = await look.readText(file);
    if (!read.ok) continue;
    let count = 0;
    for (const [index, line] of splitLines(read.value.text).entries()) {
      const lower = line.toLowerCase();
      if (!words.some((word) => lower.includes(word))) continue;
      count += 1;
      if (count > maxLinesPerFile) break;
      rank.add(file, index + 1, withoutLineEnd(line));
    }
  }
  return ok(rank.end());
}
