import type { Word } from '../commandParts/types.ts';
import { readOnlyGit } from './git.ts';
import { readOnlySed } from './sed.ts';
import { allLiteral, avoids, type Forbidden, mayBecomeOption, positionals } from './words.ts';

type Check = (words: readonly Word[]) => boolean;

/** Programs that can only read, whatever their options are (coreutils 9, grep 3, diffutils 3, findutils, BSD). */
export const freePrograms: ReadonlySet<string> = new Set([
  ...['cat', 'head', 'tail', 'wc', 'grep', 'egrep', 'fgrep', 'cut', 'tr', 'nl', 'tac', 'rev', 'paste', 'comm', 'cmp'],
  ...['diff', 'ls', 'stat', 'du', 'df', 'basename', 'dirname', 'realpath', 'readlink', 'pwd', 'echo', 'true', 'false'],
  ...[':', 'id', 'whoami', 'uname', 'sleep', 'seq', 'which', 'type', 'numfmt', 'expr', 'md5sum', 'sha1sum'],
  ...['sha224sum', 'sha256sum', 'sha384sum', 'sha512sum', 'shasum', 'cksum', 'b2sum', 'sum', 'od', 'hexdump'],
  ...['strings', 'fold', 'fmt', 'expand', 'unexpand', 'join', 'tsort', 'nproc', 'arch', 'findstr', 'groups', 'locale'],
]);

const without =
  (forbidden: Forbidden): Check =>
  (words) =>
    avoids(words, forbidden);

const checks: Readonly<Record<string, Check>> = {
  git: readOnlyGit,
  sed: readOnlySed,
  sort: without({ letters: 'oST', long: ['--output', '--buffer-size', '--temporary-directory', '--compress-program'] }),
  tree: without({ letters: 'oR', long: ['--output'] }),
  base64: without({ letters: 'o', long: ['--output'] }),
  base32: without({ letters: 'o', long: ['--output'] }),
  column: without({ letters: 'c', long: ['--output-width'] }),
  file: without({ letters: 'CmM', long: ['--compile', '--magic-file'] }),
  printf: without({ letters: 'v' }),
  // `-v` evaluates subscripts, which may hold commands.
  test: without({ letters: 'vR' }),
  rg: without({ letters: 'z', long: ['--pre', '--hostname-bin', '--search-zip'] }),
  fd: without({ letters: 'xX', long: ['--exec', '--exec-batch'] }),
  // The second name is a file that they write.
  uniq: (words) => avoids(words, {}) && positionals(words).length <= 1,
  xxd: (words) => avoids(words, { letters: 'r', long: ['--revert'] }) && positionals(words).length <= 1,
  find: readOnlyFind,
  // A word without `+` would set the clock.
  date: (words) =>
    allLiteral(words) && words.every(({ value }) => /^(?:\+.*|-u|-R|-I.*|--(?:utc|rfc-.*|iso-.*))$/s.test(value)),
  cd: (words) => words.length <= 1 && !words.some((word) => mayBecomeOption(word)),
  hostname: (words) => words.length === 0,
  command: (words) => /^-[vV]$/.test(words[0]?.value ?? '') && allLiteral(words),
};

function readOnlyFind(words: readonly Word[]): boolean {
  // Any word may be an action for find, so each one must be known not to begin with a dash.
  return words.every((word) => {
    if (mayBecomeOption(word)) return false;
    if (!word.value.startsWith('-')) return true;
    return word.pieces.every(({ kind }) => kind === 'text') && !/^-(?:exec|ok|delete|fls|fprint)/.test(word.value);
  });
}

const probe = [['--version']] as const;
const shortProbe = [['--version'], ['-v']] as const;
const capitalProbe = [['--version'], ['-V']] as const;

/** The whole lines that only tell a version; more words could make the program run something. */
const versions: Readonly<Record<string, readonly (readonly string[])[]>> = {
  node: shortProbe,
  npm: shortProbe,
  pnpm: shortProbe,
  yarn: shortProbe,
  bun: shortProbe,
  deno: capitalProbe,
  python: capitalProbe,
  python3: capitalProbe,
  pip: capitalProbe,
  pip3: capitalProbe,
  ruby: shortProbe,
  php: shortProbe,
  cargo: capitalProbe,
  rustc: [['--version'], ['-V'], ['-vV'], ['--version', '--verbose']],
  rustup: capitalProbe,
  go: [['version']],
  java: [['-version'], ['--version']],
  javac: [['-version'], ['--version']],
  gcc: probe,
  'g++': probe,
  clang: probe,
  make: shortProbe,
  cmake: probe,
  dotnet: probe,
  docker: [['--version'], ['-v']],
  kubectl: [['version', '--client']],
  tsc: shortProbe,
  just: capitalProbe,
  uv: capitalProbe,
  bash: probe,
  jq: capitalProbe,
  gh: probe,
};

/** True when this program with these arguments is proven to change nothing. */
export function readsOnly(name: string, words: readonly Word[]): boolean {
  if (freePrograms.has(name)) return true;
  const values = words.map(({ value }) => value);
  if (
    allLiteral(words) &&
    Object.hasOwn(versions, name) &&
    versions[name]?.some((line) => line.join('\0') === values.join('\0'))
  )
    return true;
  return Object.hasOwn(checks, name) && (checks[name]?.(words) ?? false);
}
