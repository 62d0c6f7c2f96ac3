import type { Word } from '../parse/line.ts';
import { isPlainTest } from './condition.ts';
import { readOnlyGit } from './git.ts';
import { keepsTo, names, type Options } from './keepsTo.ts';
import { readOnlySed } from './sed.ts';
import { allLiteral, mayBecomeOption } from './words.ts';

type Check = (words: readonly Word[]) => boolean;

/** Programs that can only read, whatever their options are (coreutils 9, grep 3, diffutils 3, findutils, BSD). */
export const freePrograms: ReadonlySet<string> = new Set([
  ...['cat', 'head', 'tail', 'wc', 'grep', 'egrep', 'fgrep', 'cut', 'tr', 'nl', 'tac', 'rev', 'paste', 'comm', 'cmp'],
  ...['diff', 'ls', 'stat', 'du', 'df', 'basename', 'dirname', 'realpath', 'readlink', 'pwd', 'echo', 'true', 'false'],
  ...[':', 'id', 'whoami', 'uname', 'sleep', 'seq', 'which', 'type', 'numfmt', 'expr', 'md5sum', 'sha1sum'],
  ...['sha224sum', 'sha256sum', 'sha384sum', 'sha512sum', 'shasum', 'cksum', 'b2sum', 'sum', 'od', 'hexdump'],
  ...['strings', 'fold', 'fmt', 'expand', 'unexpand', 'join', 'tsort', 'nproc', 'findstr', 'groups', 'locale'],
]);

const only =
  (options: Options): Check =>
  (words) =>
    keepsTo(words, options);

const ripgrep: Options = {
  short: 'abcFHhiIlLnNopPqsSuUvwxV.0A:B:C:e:f:g:j:m:M:r:t:T:d:E:',
  long: names(
    'after-context= before-context= context= case-sensitive ignore-case smart-case color= colors= column no-column count ' +
      'count-matches crlf context-separator= encoding= engine= files files-with-matches files-without-match fixed-strings ' +
      'follow glob= iglob= glob-case-insensitive heading no-heading help hidden ignore-file= include-zero invert-match json ' +
      'line-number no-line-number line-regexp max-columns= max-count= max-depth= max-filesize= multiline ' +
      'multiline-dotall no-config no-filename with-filename no-ignore no-ignore-vcs no-ignore-parent no-messages null ' +
      'null-data one-file-system only-matching passthru pcre2 pretty quiet regexp= file= replace= sort= sortr= stats text ' +
      'threads= trim type= type-not= type-list unrestricted version vimgrep word-regexp',
  ),
};

const fd: Options = {
  short: 'HIusigFap0LqhVt:e:E:d:S:j:c:',
  long: names(
    'hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob fixed-strings absolute-path follow ' +
      'full-path print0 type= extension= exclude= max-depth= min-depth= exact-depth= size= changed-within= changed-before= ' +
      'color= threads= max-results= quiet regex prune one-file-system help version',
  ),
};

const encoded: Options = {
  short: 'dDw:',
  long: names('decode ignore-garbage wrap= help version'),
  names: 1,
  optionsFirst: true,
};

const checks: Readonly<Record<string, Check>> = {
  git: readOnlyGit,
  sed: readOnlySed,
  sort: only({
    short: 'bdfghiMnRrVcCmsuzk:t:',
    long: names(
      'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort ' +
        'human-numeric-sort numeric-sort random-sort reverse sort= version-sort check key= merge stable field-separator= ' +
        'unique zero-terminated debug help version',
    ),
  }),
  tree: only({
    short: 'adflixpshugDtUrCAnNqQvXJSc',
    alone: 'LPI',
    long: names(
      'dirsfirst filesfirst noreport gitignore prune du si matchdirs ignore-case metafirst sort= charset= filelimit= ' +
        'timefmt= help version',
    ),
  }),
  base64: only(encoded),
  base32: only(encoded),
  column: only({ short: 'txs:o:J', long: names('table separator= output-separator= json help version') }),
  file: only({
    short: 'bhiLkNrs0F:',
    long: names(
      'brief mime mime-type mime-encoding dereference no-dereference keep-going no-pad raw print0 separator= help version',
    ),
  }),
  printf: readOnlyPrintf,
  test: isPlainTest,
  rg: only(ripgrep),
  fd: only(fd),
  fdfind: only(fd),
  // The second name is a file that they write.
  uniq: only({
    short: 'cdDiuzf:s:w:',
    long: names(
      'count repeated all-repeated ignore-case skip-fields= skip-chars= check-chars= unique zero-terminated group help version',
    ),
    names: 1,
    optionsFirst: true,
  }),
  xxd: only({ short: 'buipeE', alone: 'cglson', names: 1, optionsFirst: true }),
  find: readOnlyFind,
  // A word without `+` would set the clock.
  date: (words) =>
    allLiteral(words) && words.every(({ value }) => /^(?:\+.*|-u|-R|-I.*|--(?:utc|rfc-.*|iso-.*))$/s.test(value)),
  cd: (words) => words.length <= 1 && !words.some((word) => mayBecomeOption(word)),
  hostname: (words) => words.length === 0,
  // With a word it is another program on some systems, and runs it.
  arch: (words) => words.length === 0,
  command: (words) => /^-[vV]$/.test(words[0]?.value ?? '') && allLiteral(words),
};

const searches = names(
  '-H -L -P -E -X -x -s -d -depth -maxdepth -mindepth -mount -xdev -follow -daystart -noleaf -regextype -name -iname -path ' +
    '-ipath -wholename -iwholename -lname -ilname -regex -iregex -type -xtype -size -empty -mtime -mmin -atime -amin -ctime ' +
    '-cmin -newer -anewer -cnewer -perm -user -group -uid -gid -nouser -nogroup -links -inum -samefile -fstype -readable ' +
    '-writable -executable -true -false -prune -quit -print -print0 -printf -ls -not -a -and -o -or',
);

function readOnlyFind(words: readonly Word[]): boolean {
  // Any word may be an action for find, so each one must be known not to begin with a dash.
  return words.every((word) => {
    if (mayBecomeOption(word)) return false;
    if (!word.value.startsWith('-')) return true;
    return (
      allLiteral([word]) && (searches.has(word.value) || /^-(?:\d+[a-zA-Z]?|newer[aBcm][aBcmt])$/.test(word.value))
    );
  });
}

/** `-v` and `%n` set a variable, and numbers are arithmetic for some shells. */
function readOnlyPrintf([format, ...words]: readonly Word[]): boolean {
  if (!format) return true;
  if (!allLiteral([format]) || format.value.startsWith('-')) return false;
  const forms = format.value.replaceAll('%%', '').match(/%[^a-zA-Z(]*(?:\([^)]*\))?[a-zA-Z]*/g) ?? [];
  const isText = forms.every((form) => /^%[-\d.]*[sbcq](?![A-Za-z])/.test(form) || /^%[-\d.]*[sbcq]/.test(form));
  return isText || (!forms.some((form) => form.includes('n')) && words.every(({ value }) => /^-?[\d.]*$/.test(value)));
}

const probe = [['--version']] as const;
const shortProbe = [['--version'], ['-v']] as const;
const capitalProbe = [['--version'], ['-V']] as const;

/**
 * The whole lines that only tell a version; more words could make the program run something. `yarn`, `pnpm` and `go` are
 * not here: a file of the project says which version of them is fetched and run.
 */
const versions: Readonly<Record<string, readonly (readonly string[])[]>> = {
  node: shortProbe,
  npm: shortProbe,
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
  java: [['-version'], ['--version']],
  javac: [['-version'], ['--version']],
  gcc: probe,
  'g++': probe,
  clang: probe,
  make: probe,
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

/** Some systems have ugrep under the name of grep: these options of it run a program or write a file. */
const runsInGrep = /^--(?:filter|pager|save-config|view)/;

/** True when this program with these arguments is proven to change nothing. */
export function readsOnly(name: string, words: readonly Word[]): boolean {
  const values = words.map(({ value }) => value);
  if (freePrograms.has(name)) return !(name.endsWith('grep') && values.some((value) => runsInGrep.test(value)));
  if (
    allLiteral(words) &&
    Object.hasOwn(versions, name) &&
    versions[name]?.some((line) => line.join('\0') === values.join('\0'))
  )
    return true;
  return Object.hasOwn(checks, name) && (checks[name]?.(words) ?? false);
}
