import { protectedRows } from './protectedPlaces.ts';

const folders = new Map<string, string>();
/** A name in a folder: `vscode/tasks.json` under its folder. */
const nested = new Map<string, Map<string, string>>();
const files = new Map<string, string>();
const suffixes: { readonly suffix: string; readonly reason: string }[] = [];
for (const { places, reason } of protectedRows) {
  for (const place of places.split(' ')) {
    const [first = '', below] = place.split('/');
    if (place.startsWith('*')) suffixes.push({ suffix: place.slice(1), reason });
    else if (below === undefined) files.set(first, reason);
    else if (below === '') folders.set(first, reason);
    else nested.set(first, (nested.get(first) ?? new Map<string, string>()).set(below, reason));
  }
}

/**
 * Places whose content is executed, or trusted, by something other than the person's own command: writes there are always
 * asked (P12). Names are judged as the most lenient file system would read them: without case, trailing dots and spaces,
 * stream suffixes, and the characters that HFS+ ignores (the list git uses for `.git`, see is_hfs_dotgit in utf8.c).
 */
export function protectedPath(relative: string): string | undefined {
  const names = relative
    .split(/[\\/]/)
    .map(foldLeniently)
    .filter((name) => name !== '' && name !== '.');
  for (const name of names) {
    const reason = folders.get(name);
    if (reason) return reason;
  }
  for (const [index, name] of names.entries()) {
    const reason = nested.get(name)?.get(names[index + 1] ?? '');
    if (reason) return reason;
  }
  const last = names.at(-1) ?? '';
  // Whatever is unpacked or copied into the folder that holds such places brings them along; a visible one may be anybody's.
  const held = last.startsWith('.') ? nested.get(last) : undefined;
  if (held !== undefined) return [...held.values()][0];
  return files.get(last) ?? suffixes.find(({ suffix }) => last.endsWith(suffix))?.reason;
}

const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

function foldLeniently(name: string): string {
  const plain = name.normalize('NFKC').replace(ignoredByHfs, '').toLowerCase();
  // A stream suffix (`.git::$INDEX_ALLOCATION`) names the same folder on NTFS; `GIT~1` is the 8.3 alias of `.git`.
  const bare = plain.replace(/:.*$/, '').replace(/[. ]+$/, '');
  return shortNames.get(bare) ?? (bare === '' ? plain : bare);
}

const shortNames: ReadonlyMap<string, string> = new Map([
  ['git~1', '.git'],
  ['vise~1', '.vise'],
  ['cli-br~1', '.cli-bridge'],
]);
