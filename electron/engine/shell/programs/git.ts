import { type Command, isLiteral, type Word } from '../parse/line.ts';
import { type CommandOptions, optionCommands } from './commandOptions.ts';
import { readingNames } from './gitOptions.ts';
import { allLiteral, keepsTo, names, type Options, positionals } from './options.ts';
import { type Destruction, optionValues, type Program, type Runs } from './program.ts';
import { sweptByGit } from './sweeps.ts';

const verbLine = /^git (?:add|commit|fetch|status|log|diff|show|branch|blame|ls-files|rev-parse|stash|grep)(?: |$)/;

export const git: Program = {
  names: 'git',
  words: 'messages',
  interprets: 'commands',
  connects: true,
  reads: readsOnly,
  sweeps: (argv) => sweptByGit(argv, gitVerbIndex(argv)),
  runs,
  runsIn: /^ext::(.+)$/s,
  writes,
  destroys,
  open: openOptions,
  prefixes: [[verbLine, 2]],
  seconds: { clone: 20 },
  valued: '-C -c --git-dir --work-tree --namespace',
  flags: {
    // A refspec with `+` and a mirror overwrite just as --force does; `:branch` deletes.
    push: [
      'f force + mirror | d delete : | u set-upstream | n dry-run | v verbose | q quiet | 4 ipv4 | 6 ipv6 | o push-option | all branches',
      'o',
    ],
    commit: [
      'n no-verify | a all | m message | S gpg-sign | s signoff | q quiet | v verbose | e edit | F file | C reuse-message | ' +
        'c reedit-message | p patch',
      'mFCct',
    ],
    clean: ['f force | n dry-run | e exclude | q quiet | i interactive', 'e'],
    branch: ['d delete D | m move M | c copy C | f force D M C | u set-upstream-to | a all | r remotes', 'u'],
    checkout: ['f force | b | B | d detach | q quiet', 'bB'],
    switch: ['f force discard-changes | c create | C force-create', 'cC'],
    tag: ['d delete | f force | a annotate | m message | s sign', 'mFu'],
    fetch: ['f force + | p prune | t tags'],
  },
};

/** What a rule for a verb leaves open: for looking verbs what is proven to read, for the others what names nothing. */
const openOf: Readonly<Record<string, Options>> = {
  add: {
    short: 'vnAuNf',
    long: names('verbose dry-run all no-all update intent-to-add force ignore-errors renormalize'),
  },
  commit: {
    short: 'am:qvsn',
    long: names(
      'all message= amend no-edit quiet verbose signoff no-verify allow-empty allow-empty-message dry-run author= date= ' +
        'trailer= no-gpg-sign only include',
    ),
  },
  fetch: {
    short: 'aptfqvnj:',
    long: names('all prune tags no-tags force depth= deepen= unshallow quiet verbose dry-run jobs= progress atomic'),
  },
  branch: {
    short: 'arvqldDmMcCfi',
    long: names(
      'all remotes verbose quiet list delete move copy force ignore-case show-current contains= no-contains= merged= ' +
        'no-merged= sort= points-at= format= color no-color column no-column track no-track',
    ),
  },
  push: {
    short: 'uvqfnd46',
    long: names(
      'set-upstream verbose quiet force force-with-lease dry-run delete all branches tags follow-tags atomic mirror prune ' +
        'no-verify ipv4 ipv6 progress porcelain',
    ),
  },
  stash: {
    short: 'uakqm:p',
    long: names('include-untracked all keep-index no-keep-index quiet message= staged index stat patch name-only'),
  },
};

function openOptions(argv: readonly string[]): Options | undefined {
  const verb = argv[gitVerbIndex(argv)] ?? '';
  if (Object.hasOwn(openOf, verb)) return openOf[verb] ?? {};
  return looking.has(verb) ? looks : verb === 'grep' ? greps : undefined;
}

/** Options of single verbs that name a command. */
const takes: Readonly<Record<string, readonly CommandOptions[]>> = {
  clone: [{ long: 'upload-pack', short: 'u' }],
  fetch: [{ long: 'upload-pack exec' }],
  pull: [{ long: 'upload-pack exec' }],
  'ls-remote': [{ long: 'upload-pack exec' }],
  'fetch-pack': [{ long: 'upload-pack exec' }],
  push: [{ long: 'receive-pack exec' }],
  'send-pack': [{ long: 'receive-pack exec' }],
  archive: [{ long: 'receive-pack exec' }],
  difftool: [{ long: 'extcmd', short: 'x' }],
  grep: [{ long: 'open-files-in-pager', short: 'O' }],
};

const valued = new Set('-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path'.split(' '));

/** Where git's verb stands behind its global options; the number of words when there is none. */
export function gitVerbIndex(argv: readonly string[]): number {
  let index = 1;
  while (index < argv.length && (argv[index] ?? '').startsWith('-')) index += valued.has(argv[index] ?? '') ? 2 : 1;
  return Math.min(index, argv.length);
}

/** Git runs programs that are named in its options and settings, and shell lines in some verbs. */
function runs(command: Command): Runs | undefined {
  const { argv, words } = command;
  const override = argv.findIndex((word, at) => at > 0 && /^(?:-c.*|--config-env.*|--exec-path.*)$/.test(word));
  const verbAt = gitVerbIndex(argv);
  if (override > 0 && override < verbAt) {
    const setting = argv[override] === '-c' ? (argv[override + 1] ?? '') : (argv[override] ?? '');
    const alias = /^(?:-c)?alias\.[^=]+=!(.*)$/s.exec(setting)?.[1];
    // What is no alias may be a pager, a filter, a program for ssh.
    const loose = alias ?? (/alias\./i.test(setting) ? undefined : /=(.+)$/s.exec(setting)?.[1]);
    const opaque = 'a setting of git given on the line can name a program';
    return { loose, reach: Number.POSITIVE_INFINITY, opaque };
  }
  const verb = argv[verbAt] ?? '';
  const behind = (form: RegExp) => argv.findIndex((word, index) => index > verbAt && form.test(word));
  if (verb === 'bisect' && argv[verbAt + 1] === 'run') {
    const rest = words.slice(verbAt + 2);
    return rest.length === 0 ? undefined : { commands: [rest], reach: verbAt + 3 };
  }
  const each = verb === 'submodule' ? behind(/^foreach$/) : -1;
  if (each > 0) return ofScript(words, nextName(argv, each));
  if (verb === 'rebase') {
    const exec = behind(/^(?:-x|--exec)$/);
    if (exec > 0) return ofScript(words, exec + 1);
    const glued = behind(/^--exec=/);
    if (glued > 0) return { scripts: [(argv[glued] ?? '').slice('--exec='.length)], reach: glued + 1, apart: true };
  }
  if (verb === 'filter-branch') return { reach: Number.POSITIVE_INFINITY, opaque: 'git filter-branch runs scripts' };
  const named = Object.hasOwn(takes, verb) ? optionCommands(takes[verb] ?? [], argv) : [];
  if (named.length === 0) return undefined;
  const reach = Math.max(...named.map(({ at }) => at)) + 1;
  return { scripts: named.map(({ script }) => script), reach, apart: true };
}

function ofScript(words: readonly Word[], index: number): Runs | undefined {
  const script = words[index];
  return script && { scripts: [script], reach: index + 1, apart: isLiteral(script) ? true : undefined };
}

function nextName(argv: readonly string[], index: number): number {
  const next = argv.findIndex((word, at) => at > index && !word.startsWith('-'));
  return next < 0 ? argv.length : next;
}

/** `git rm`, `git mv` and `git checkout -- file` change files; what git does inside `.git` is its own affair. */
function writes({ argv, words }: Command, given: readonly Word[]): readonly Word[] {
  const verb = argv[gitVerbIndex(argv)] ?? '';
  const files = given.filter(({ value }) => value !== verb);
  if (/^(?:diff|log|show|archive|format-patch|shortlog|bundle|worktree|init)$/.test(verb)) {
    const made = /^(?:bundle|worktree|init)$/.test(verb) ? files : [];
    return [...optionValues(words, ['-o', '--output', '--output-directory']), ...made];
  }
  return /^(?:rm|mv|checkout|restore)$/.test(verb) ? files : [];
}

/**
 * `git clean` with force and without a path removes untracked files for good, ignored ones with `-x`: what was never
 * committed cannot come back, so with folders or ignored files it counts as `rm -r .`; with a path it is ordinary.
 */
function destroys({ argv }: Command): Destruction | undefined {
  const at = gitVerbIndex(argv);
  if (argv[at] !== 'clean') return undefined;
  const rest = argv.slice(at + 1);
  const letters = rest.filter((word) => /^-[a-z]+$/i.test(word)).join('');
  if (/n/.test(letters) || rest.includes('--dry-run')) return undefined;
  const force =
    /f/.test(letters) ||
    rest.includes('--force') ||
    argv.slice(1, at).some((word) => /clean\.requireforce/i.test(word));
  const paths = rest.filter(
    (word, index) => !word.startsWith('-') && !/^(?:-e|--exclude)$/.test(rest[index - 1] ?? ''),
  );
  const narrow = paths.length > 0 && !paths.some((path) => /^(?:\.{1,2}\/?|:\/?|\*)$/.test(path));
  return force && /[dxX]/.test(letters) && !narrow ? { why: 'deletes every file that git does not know' } : undefined;
}

const globalFlags = new Set(['--no-pager', '--no-optional-locks', '--literal-pathspecs', '--no-replace-objects']);

const looking = new Set([
  ...['status', 'log', 'diff', 'show', 'rev-parse', 'ls-files', 'ls-tree', 'cat-file', 'blame', 'annotate', 'shortlog'],
  ...['describe', 'rev-list', 'merge-base', 'name-rev', 'for-each-ref', 'show-ref', 'diff-tree', 'diff-index'],
  ...['diff-files', 'count-objects', 'whatchanged', 'cherry', 'range-diff', 'check-ignore', 'check-attr', 'version'],
]);

/** No short option of the looking verbs writes or runs anything; `-O` names a file with an order. */
const looks: Options = { short: 'abcdefghiklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', long: readingNames };

/** In `git grep`, `-O` runs a pager. */
const greps: Options = {
  short: 'aiIwvhHEGPFnlLzcopWqr0123456789e:f:A:B:C:m:',
  long: names(
    'text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number ' +
      'column files-with-matches name-only files-without-match null only-matching count color no-color break heading ' +
      'show-function function-context context= after-context= before-context= and or not all-match quiet cached untracked ' +
      'no-index recurse-submodules max-depth= max-count= threads= recursive no-recursive exclude-standard no-textconv',
  ),
};

/** Reading verbs of git with reading options; settings, other folders and pagers given on the line are not proven. */
function readsOnly(words: readonly Word[]): boolean {
  let index = 0;
  while (globalFlags.has(words[index]?.value ?? '')) index += 1;
  const verb = words[index];
  const rest = words.slice(index + 1);
  if (!verb || !allLiteral([verb])) return false;
  if (verb.value === '--version') return rest.length === 0;
  // Placeholders for signatures run the program that `gpg.program` names.
  if (rest.some(({ value }) => /%G|%\(signature/.test(value))) return false;
  const values = rest.map(({ value }) => value);
  if (looking.has(verb.value)) return keepsTo(rest, looks);
  switch (verb.value) {
    case 'grep':
      return keepsTo(rest, greps);
    case 'branch':
      return allLiteral(rest) && readsBranch(values);
    case 'tag':
      return allLiteral(rest) && readsTag(values);
    case 'stash':
      return (values[0] === 'list' || values[0] === 'show') && keepsTo(rest.slice(1), looks);
    case 'reflog':
      return (values[0] === undefined || values[0] === 'show' || /^(?:-|HEAD)/.test(values[0])) && keepsTo(rest, looks);
    case 'worktree':
      return values[0] === 'list' && values.slice(1).every((value) => /^(?:-v|-z|--verbose|--porcelain)$/.test(value));
    case 'remote':
      return (
        values.every((value) => value === '-v' || value === '--verbose') ||
        (values[0] === 'get-url' && keepsTo(rest.slice(1), { long: names('all push') }))
      );
    case 'config':
      return allLiteral(rest) && readsConfig(values, positionals(rest).length);
    default:
      return false;
  }
}

const branchFlag =
  /^(?:-[arvl]+|--(?:all|remotes|verbose|list|show-current|ignore-case|no-color|no-column|(?:color|column|sort|format|abbrev)(?:=.*)?))$/;
const branchFilter = /^--(?:(?:no-)?contains|(?:no-)?merged|points-at)(?:=.*)?$/;

function readsBranch(values: readonly string[]): boolean {
  // Before 2.19 `-l NAME` made a branch.
  const lists = values.some((value) => value === '--list' || branchFilter.test(value));
  return values.every((value) => (value.startsWith('-') ? branchFlag.test(value) || branchFilter.test(value) : lists));
}

function readsTag(values: readonly string[]): boolean {
  const lists = values.some((value) => value === '--list' || value === '-l' || branchFilter.test(value));
  const flag = /^(?:-l|-n\d*|--list|--(?:sort|format|column)(?:=.*)?)$/;
  return values.every((value) => (value.startsWith('-') ? flag.test(value) || branchFilter.test(value) : lists));
}

export function readsConfig(values: readonly string[], names: number): boolean {
  const where = /^--(?:local|global|system|worktree|show-origin|show-scope|null|name-only|type=.*)$|^-z$/;
  const [verb, ...more] = values.filter((value) => !where.test(value));
  if (verb === '--list' || verb === '-l' || verb === 'list') return more.length === 0;
  if (verb === undefined || !/^(?:--get(?:-all|-regexp)?|get)$/.test(verb)) return false;
  return names <= 3 && more.every((value) => !value.startsWith('-') || value === '--all' || value === '--regexp');
}
