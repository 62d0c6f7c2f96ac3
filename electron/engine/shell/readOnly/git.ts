import type { Word } from '../parse/line.ts';
import { readingNames } from './gitOptions.ts';
import { keepsTo, names, type Options } from './keepsTo.ts';
import { allLiteral, positionals } from './words.ts';

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
export function readOnlyGit(words: readonly Word[]): boolean {
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
      return allLiteral(rest) && readOnlyBranch(values);
    case 'tag':
      return allLiteral(rest) && readOnlyTag(values);
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
      return allLiteral(rest) && readOnlyConfig(values, positionals(rest).length);
    default:
      return false;
  }
}

const branchFlag =
  /^(?:-[arvl]+|--(?:all|remotes|verbose|list|show-current|ignore-case|no-color|no-column|(?:color|column|sort|format|abbrev)(?:=.*)?))$/;
const branchFilter = /^--(?:(?:no-)?contains|(?:no-)?merged|points-at)(?:=.*)?$/;

function readOnlyBranch(values: readonly string[]): boolean {
  // Before 2.19 `-l NAME` made a branch.
  const lists = values.some((value) => value === '--list' || branchFilter.test(value));
  return values.every((value) => (value.startsWith('-') ? branchFlag.test(value) || branchFilter.test(value) : lists));
}

function readOnlyTag(values: readonly string[]): boolean {
  const lists = values.some((value) => value === '--list' || value === '-l' || branchFilter.test(value));
  const flag = /^(?:-l|-n\d*|--list|--(?:sort|format|column)(?:=.*)?)$/;
  return values.every((value) => (value.startsWith('-') ? flag.test(value) || branchFilter.test(value) : lists));
}

export function readOnlyConfig(values: readonly string[], names: number): boolean {
  const where = /^--(?:local|global|system|worktree|show-origin|show-scope|null|name-only|type=.*)$|^-z$/;
  const [verb, ...more] = values.filter((value) => !where.test(value));
  if (verb === '--list' || verb === '-l' || verb === 'list') return more.length === 0;
  if (verb === undefined || !/^(?:--get(?:-all|-regexp)?|get)$/.test(verb)) return false;
  return names <= 3 && more.every((value) => !value.startsWith('-') || value === '--all' || value === '--regexp');
}
