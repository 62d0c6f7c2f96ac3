import { ok, type Result } from '../../../../shared/result.ts';
import { compareBytes } from '../../workspace/byteOrder.ts';
import type { Look } from '../../workspace/look.ts';
import { ignoreRules } from './ignoreRules.ts';
import { runRipgrep } from './ripgrep.ts';
import { fileFilter, placeOf, relativeName, type TextSearch, typeArgs } from './searchScope.ts';

/** More files of other encodings than this are not read one by one. */
const maxFiles = 1_000;

/** Bytes that no UTF-8 has: a first byte of a character without a second, or a second one without a first. */
const notUtf8 = String.raw`(?-u:[\xC0-\xFF](?:[^\x80-\xBF]|$)|(?:^|[\x00-\x7F])[\x80-\xBF])`;

/** Whether a pattern can match characters beyond ASCII, whose bytes differ from encoding to encoding. */
export function isBeyondAscii(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\[^WSDPpux]/g, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII
  return /[^\x00-\x7f]|\.|\[\^|\\[WSDPpux]/.test(plain);
}

/** The files (below the root, in byte order) of a search whose bytes are not UTF-8: ripgrep reads them as nothing else. */
export async function filesInOtherEncodings(
  binary: string,
  look: Look,
  search: TextSearch,
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  const place = placeOf(look, search.start);
  const isFile = search.start.kind === 'file';
  const rules = ignoreRules(isFile ? { ...place, below: '.' } : place);
  const matches = fileFilter(search.files, place.below);
  const names: string[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  const ended = await runRipgrep(binary, {
    args: [
      ...['--files-with-matches', '--null', ...rules.args],
      ...(isFile ? [] : ['--max-filesize', '10M', ...typeArgs(search.files)]),
      ...['--regexp', notUtf8, '--', `./${place.below === '.' ? '' : place.below}`],
    ],
    cwd: place.root,
    signal,
    take: (chunk) => {
      const given = (rest + decoder.decode(chunk, { stream: true })).split('\0');
      rest = given.pop() ?? '';
      for (const name of given.map(relativeName))
        if (matches(name) && !(isFile ? place.isForbidden(name) : rules.hides(name))) names.push(name);
      return names.length < maxFiles;
    },
  });
  return ended.ok ? ok(names.sort(compareBytes)) : ended;
}
