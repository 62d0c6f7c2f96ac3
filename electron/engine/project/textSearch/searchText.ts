import { fail, ok, type Result } from '../../../../shared/result.ts';
import { compareBytes } from '../../workspace/byteOrder.ts';
import type { Look } from '../../workspace/look.ts';
import { ignoreRules } from './ignoreRules.ts';
import { linearPattern } from './linearPattern.ts';
import { countForbidden } from './listFiles.ts';
import { createMatchStream } from './matchStream.ts';
import { filesInOtherEncodings, isBeyondAscii } from './otherEncodings.ts';
import { findRipgrep, runRipgrep } from './ripgrep.ts';
import { type FoundText, fileFilter, placeOf, relativeName, type TextSearch, typeArgs } from './searchScope.ts';

/** A pattern as JavaScript reads it. Error: INVALID_REGEX. */
export function readPattern(pattern: string): Result<{ readonly unicode: boolean }> {
  let problem = '';
  for (const unicode of [true, false]) {
    try {
      void new RegExp(pattern, unicode ? 'u' : '');
      return ok({ unicode });
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  return fail('INVALID_REGEX', `This is no regular expression: ${problem}. ${remedy(pattern)}`, { pattern });
}

function remedy(pattern: string): string {
  if (/^\(\?[a-z]+\)/.test(pattern)) return 'JavaScript has no flags inside: use caseInsensitive for (?i).';
  const literal = pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return `To find the text as it is, escape it: ${literal}`;
}

/**
 * Every match of a pattern, the first ones by path. Ripgrep searches where its engine means the same as JavaScript's; the rest
 * is searched by JavaScript, in a thread, each file with a time limit: so are files of other encodings where the pattern goes
 * beyond ASCII. Symbolic links are never followed.
 * Errors: INVALID_REGEX, CANCELLED, UNAVAILABLE.
 */
export async function searchText(look: Look, search: TextSearch, signal: AbortSignal): Promise<Result<FoundText>> {
  const read = readPattern(search.pattern);
  if (!read.ok) return read;
  await countForbidden(look, search.start, signal);
  const pattern = linearPattern(search.pattern, read.value.unicode);
  const binary = pattern === undefined ? undefined : await findRipgrep();
  if (pattern !== undefined && binary !== undefined) {
    const others = isBeyondAscii(search.pattern) ? await filesInOtherEncodings(binary, look, search, signal) : ok([]);
    if (!others.ok) return others;
    const found = await searchWithRipgrep(binary, look, search, { pattern, except: new Set(others.value) }, signal);
    if (found !== 'refused') {
      if (!found.ok || others.value.length === 0) return found;
      const { searchWithScript } = await import('./scriptSearch.ts');
      const more = await searchWithScript(look, search, read.value.unicode, signal, others.value);
      return more.ok ? ok(joined(found.value, more.value, search.limit)) : more;
    }
  }
  const { searchWithScript } = await import('./scriptSearch.ts');
  return searchWithScript(look, search, read.value.unicode, signal);
}

/** The matches of both, the first ones by path. */
function joined(one: FoundText, other: FoundText, limit: number): FoundText {
  const matches = [...one.matches, ...other.matches].sort((a, b) => compareBytes(a.file, b.file)).slice(0, limit);
  const totalMatches = one.totalMatches + other.totalMatches;
  return {
    matches,
    totalMatches,
    filesWithMatches: one.filesWithMatches + other.filesWithMatches,
    truncated: matches.length < totalMatches,
    timedOut: [...one.timedOut, ...other.timedOut],
  };
}

async function searchWithRipgrep(
  binary: string,
  look: Look,
  search: TextSearch,
  { pattern, except }: { readonly pattern: string; readonly except: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<Result<FoundText> | 'refused'> {
  const place = placeOf(look, search.start);
  const isFile = search.start.kind === 'file';
  const rules = ignoreRules(isFile ? { ...place, below: '.' } : place);
  const matchesFiles = fileFilter(search.files, place.below);
  const stream = createMatchStream({
    limit: search.limit,
    contextLines: search.contextLines,
    fileOf: (given) => {
      const name = relativeName(given);
      return !except.has(name) && matchesFiles(name) && !(isFile ? place.isForbidden(name) : rules.hides(name))
        ? place.fileOf(name)
        : undefined;
    },
  });
  const ended = await runRipgrep(binary, {
    args: [
      '--json',
      '--crlf',
      ...rules.args,
      ...(isFile ? [] : ['--max-filesize', '10M', ...typeArgs(search.files)]),
      search.ignoreCase ? '--ignore-case' : '--case-sensitive',
      ...(search.contextLines > 0 ? ['--context', String(search.contextLines)] : []),
      '--regexp',
      pattern,
      '--',
      `./${place.below === '.' ? '' : place.below}`,
    ],
    cwd: place.root,
    signal,
    take: (chunk) => {
      stream.push(chunk);
      return true;
    },
  });
  if (!ended.ok) return ended;
  // 2 with a pattern too large for it, or one it reads otherwise; unreadable files alone are no reason to doubt the rest.
  if (ended.value.exitCode === 2 && /regex|pattern/i.test(ended.value.errors)) return 'refused';
  return ok({ ...stream.end(), timedOut: [] });
}
