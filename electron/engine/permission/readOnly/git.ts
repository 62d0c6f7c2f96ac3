import type { Word } from '../commandParts/types.ts';
import { allLiteral, avoids, type Forbidden, positionals } from './words.ts';

/** Options of the diff family and of log that write a file or run a program that the repository names. */
const writing: Forbidden = {
  long: ['--output', '--ext-diff', '--textconv', '--show-signature', '--open-files-in-pager', '--filters', '--exec'],
};

const globalFlags = new Set(['--no-pager', '--no-optional-locks', '--literal-pathspecs', '--no-replace-objects']);

const looking = new Set([
  ...['status', 'log', 'diff', 'show', 'rev-parse', 'ls-files', 'ls-tree', 'cat-file', 'blame', 'annotate', 'shortlog'],
  ...['describe', 'rev-list', 'merge-base', 'name-rev', 'for-each-ref', 'show-ref', 'diff-tree', 'diff-index'],
  ...['diff-files', 'count-objects', 'whatchanged', 'cherry', 'range-diff', 'check-ignore', 'check-attr', 'version'],
]);

/** Reading verbs of git with reading options; settings, other folders and pagers given on the line are not proven. */
export function readOnlyGit(words: readonly Word[]): boolean {
  let index = 0;
  while (globalFlags.has(words[index]?.value ?? '')) index += 1;
  const verb = words[index];
  const rest = words.slice(index + 1);
  if (!verb || !allLiteral([verb])) return false;
  if (verb.value === '--version') return rest.length === 0;
  // Signature placeholders (%G?) run the program that `gpg.program` names.
  if (!avoids(rest, writing) || rest.some(({ value }) => value.includes('%G'))) return false;
  const values = rest.map(({ value }) => value);
  if (looking.has(verb.value)) return true;
  switch (verb.value) {
    case 'grep':
      return avoids(rest, { letters: 'O' });
    case 'branch':
      return allLiteral(rest) && readOnlyBranch(values);
    case 'tag':
      return allLiteral(rest) && readOnlyTag(values);
    case 'stash':
      return values[0] === 'list' || values[0] === 'show';
    case 'reflog':
      return values[0] === undefined || values[0] === 'show' || /^(?:-|HEAD)/.test(values[0]);
    case 'worktree':
      return values[0] === 'list';
    case 'remote':
      return values.every((value) => value === '-v' || value === '--verbose') || values[0] === 'get-url';
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
  const lists = values.some((value) => value === '--list' || value === '-l' || branchFilter.test(value));
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
