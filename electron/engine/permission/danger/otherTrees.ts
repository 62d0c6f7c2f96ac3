import { type Command, isLiteral } from '../../shell/parse/line.ts';
import { joined, type PlacedLine } from '../../shell/placedLine.ts';
import { gitVerbIndex } from '../../shell/programs/git.ts';
import { programName } from '../../shell/programs/program.ts';
import { isReadOnlyCommand } from '../../shell/readOnly.ts';

/** The files that differ between two trees of a repository, or between HEAD, index and files (both empty); lent by git's room. */
export type TreeFiles = (folder: string, from: string, to: string) => readonly string[] | 'missing' | 'unclear';

export interface OtherTrees {
  /** Absolute paths of the files that commands of git bring into the working tree. */
  readonly paths: readonly string[];
  /** Why it is asked: which files those are shows only when it runs. */
  readonly always: readonly string[];
}

/** From one tree to another, where not all of it, below these paths alone; or that nobody can know. */
type Step = readonly [from: string, to: string, within?: readonly string[]] | 'unknown';

/** What lies in the index or in HEAD and not in the working tree; a command before may have put it there. */
const unsettled = (within: readonly string[] = []): Step => (within.length > 0 ? ['', '', within] : ['', '']);

const unknownTree =
  'writes files of another tree that are not known before it runs (after git fetch, git merge shows them)';

/** `git switch`, `merge`, `pull` and their like write files that no word of theirs names (C14). */
export function otherTrees({ commands, folders }: PlacedLine, treeFiles: TreeFiles): OtherTrees {
  const paths = new Set<string>();
  const always = new Set<string>();
  commands.forEach((command, at) => {
    const steps = stepsOf(command);
    // What ran before may have moved what the names mean.
    const isMoved = steps.length > 0 && !commands.slice(0, at).every(leavesBranches);
    for (const step of isMoved ? ['unknown' as const] : steps) {
      if (step === 'unknown') {
        always.add(unknownTree);
        continue;
      }
      for (const folder of folders) {
        const [from, to, within] = step;
        const base = joined(folder, folderOf(command));
        const files = treeFiles(base, from, to);
        if (files === 'unclear') always.add(unknownTree);
        else if (files !== 'missing')
          for (const file of files) if (within === undefined || isWithin(file, within, base)) paths.add(file);
      }
    }
  });
  return { paths: [...paths], always: [...always] };
}

/** A pattern of git may mean anything. */
function isWithin(file: string, within: readonly string[], base: string): boolean {
  return within.some(
    (path) => /[:*?[\\]/.test(path) || `${file}/`.startsWith(`${joined(base, path)}/`.replace('//', '/')),
  );
}

function folderOf({ argv }: Command): string {
  const at = argv.indexOf('-C');
  return at > 0 && at < gitVerbIndex(argv) ? (argv[at + 1] ?? '.') : '.';
}

const keepsBranches = /^(?:add|commit|status|stash|mv|rm|restore|config|init)$/;

/** Programs of the project could do it, too; but then they could write the files themselves. */
function leavesBranches(command: Command): boolean {
  const { argv } = command;
  if (programName(argv[0] ?? '') !== 'git') return true;
  const at = gitVerbIndex(argv);
  if (argv[at] === 'stash' && /^(?:pop|apply|branch)$/.test(argv[at + 1] ?? '')) return false;
  return keepsBranches.test(argv[at] ?? '') || isReadOnlyCommand(command);
}

const creates = /^(?:-[bBcC]|--create|--force-create|--orphan)$/;
/** Options whose next word is no revision. */
const takesWord =
  /^(?:-[mMFXsSx]|--(?:strategy|strategy-option|message|file|conflict|exec|gpg-sign|cleanup|mainline|whitespace))$/;

/** What a command of git brings into the working tree; none where it brings nothing, or only what its words name. */
function stepsOf({ argv, words }: Command): readonly Step[] {
  if (programName(argv[0] ?? '') !== 'git') return [];
  const verbAt = gitVerbIndex(argv);
  const read = readers[argv[verbAt] ?? ''];
  if (read === undefined) return [];
  const rest = argv.slice(verbAt + 1);
  const options = rest.filter((word) => word.startsWith('-') && word !== '-' && word !== '--');
  const isOther = argv.slice(1, verbAt).some((word) => /^(?:-c|--(?:git-dir|work-tree|namespace))/.test(word));
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  const names = rest.filter(
    (word, at) =>
      at < end &&
      (word === '-' || !word.startsWith('-')) &&
      !takesWord.test(rest[at - 1] ?? '') &&
      !creates.test(rest[at - 1] ?? ''),
  );
  const steps = read({ names, options, rest, paths: rest.slice(end + 1) });
  return steps.length > 0 && (isOther || !words.every(isLiteral)) ? ['unknown'] : steps;
}

interface Given {
  readonly names: readonly string[];
  readonly options: readonly string[];
  readonly rest: readonly string[];
  /** Behind `--`. */
  readonly paths: readonly string[];
}

const ends = /^--(?:abort|quit|continue|skip)$/;
const revision = (name: string): string => (name === '-' ? '@{-1}' : name);
const eachFromHead = (names: readonly string[]): readonly Step[] => names.map((name) => ['HEAD', revision(name)]);

const discards = /^(?:-[a-zA-Z]*f|--f(?:orce)?$|--discard)/;

const switches = ({ names: [name, ...more], options, paths }: Given): readonly Step[] => {
  if (options.some((option) => option.startsWith('--pathspec'))) return ['unknown'];
  const forced = options.some((option) => discards.test(option)) ? [unsettled()] : [];
  if (name === undefined) return paths.length > 0 ? [...forced, unsettled(paths)] : forced;
  const within = [...more, ...paths];
  const tree: Step = within.length > 0 ? ['HEAD', revision(name), within] : ['HEAD', revision(name)];
  // Without a tree its first word is a path, too.
  return [...forced, tree, unsettled([name, ...within])];
};
const restores = ({ names, rest, paths }: Given): readonly Step[] => {
  const glued = rest.flatMap((word) => /^(?:-s|--so[a-z]*=)(.+)$/.exec(word)?.[1] ?? []);
  const source = glued[0] ?? rest[rest.findIndex((word) => /^(?:-[a-zA-Z]*s|--so[a-z]*)$/.test(word)) + 1];
  const hasSource = rest.some((word) => /^(?:-[a-zA-Z]*s|--so)/.test(word));
  const within = [...names, ...paths];
  const says = (option: RegExp): boolean => rest.some((word) => option.test(word));
  if (says(/^(?:-[qp]*S[qp]*|--staged)$/) && !says(/^(?:-[a-zA-Z]*W|--w)/)) return []; // the index alone
  if (says(/^--pathspec/)) return ['unknown'];
  return hasSource && source !== undefined ? [['HEAD', revision(source), within]] : [unsettled(within)];
};
/** Merging and rebasing take the branch's upstream where none is named. */
const joins = ({ names, options }: Given): readonly Step[] => {
  const onto = options.flatMap((option) => /^--onto=(.+)$/.exec(option)?.[1] ?? []);
  return options.some((option) => ends.test(option))
    ? []
    : eachFromHead(names.length + onto.length > 0 ? [...names, ...onto] : ['@{upstream}']);
};
const picks = ({ names, options }: Given): readonly Step[] => {
  if (options.some((option) => ends.test(option))) return [];
  if (options.some((option) => option.startsWith('--stdin'))) return ['unknown'];
  return names.map((name): Step => {
    const [from, to] = name.split(/\.{2,3}/);
    return to === undefined ? [`${name}^`, name] : [from || 'HEAD', to || 'HEAD'];
  });
};
const resets = ({ names, options }: Given): readonly Step[] =>
  options.some((option) => /^--(?:ha|k|me)/.test(option)) ? [...eachFromHead(names), unsettled()] : [];

/** By verb; what only moves a branch, or writes what its words name, is not among them. */
const readers: Readonly<Record<string, ((given: Given) => readonly Step[]) | undefined>> = {
  __proto__: null as never,
  switch: switches,
  checkout: switches,
  restore: restores,
  merge: joins,
  rebase: joins,
  'cherry-pick': picks,
  revert: picks,
  reset: resets,
  pull: ({ options }) => (options.some((option) => option === '--dry-run') ? [] : ['unknown']),
  // Which commit it tries next, or what a submodule brings, is nobody's word of the line.
  bisect: ({ names: [action, ...more] }) =>
    /^(?:good|bad|new|old|skip|run|reset|replay)$/.test(action ?? '') || (action === 'start' && more.length > 0)
      ? ['unknown']
      : [],
  'checkout-index': ({ names, options, paths }) => {
    if (options.some((option) => /^--(?:prefix|stage|stdin)/.test(option))) return ['unknown'];
    return [unsettled(options.some((option) => /^(?:-[a-z]*a|--all$)/.test(option)) ? [] : [...names, ...paths])];
  },
  'sparse-checkout': ({ names: [action] }) => (/^(?:list|init|check-rules)$/.test(action ?? '') ? [] : ['unknown']),
  subtree: () => ['unknown'],
  'filter-branch': () => ['unknown'],
  quiltimport: () => ['unknown'],
  submodule: ({ names }) => (names.some((name) => /^(?:add|update|deinit)$/.test(name)) ? ['unknown'] : []),
  'read-tree': ({ options }) => (options.some((option) => /^-[a-z]*u|^--reset/.test(option)) ? ['unknown'] : []),
  stash({ names: [action, name = 'stash@{0}'], options }) {
    // What it puts away is followed by what HEAD has.
    if (action === undefined || /^(?:push|save)$/.test(action)) return [unsettled()];
    if (!/^(?:pop|apply|branch)$/.test(action)) return [];
    if (action === 'branch' || options.some((option) => !/^-(?:q|-quiet|-index)$/.test(option))) return ['unknown'];
    const kept = /^\d+$/.test(name) ? `stash@{${name}}` : name;
    // The third parent holds files that git did not know.
    return [
      [`${kept}^1`, kept],
      [`${kept}^1`, `${kept}^3`],
    ];
  },
};
