/**
 * Places of which a command shows more than its words name: all that lies below them. A rule that forbids to read may mean
 * something there (C11). Paths as they stand in the words; `wholeTree` where not even the folder it runs in is the bound.
 */
export type Sweeps = (argv: readonly string[]) => readonly string[];

export const wholeTree = '/';

const positionals = (argv: readonly string[]): readonly string[] => argv.slice(1).filter((word) => !/^-./.test(word));
const orHere = (places: readonly string[]): readonly string[] => (places.length > 0 ? places : ['.']);

/** A search behind a pattern; `recursive` says when it enters folders. A value of an option may count as a place: that only asks more. */
export function searched(recursive?: RegExp): Sweeps {
  return (argv) => {
    if (recursive && !argv.some((word) => recursive.test(word))) return [];
    const isPatternGiven = argv.some((word) => /^(?:-[A-Za-z]*[ef]|--(?:regexp|file|files)(?:=|$))/.test(word));
    return orHere(positionals(argv).slice(isPatternGiven ? 0 : 1));
  };
}

/** All its names are places, when an option (if one is given) says that it enters folders. */
export function copiedWhole(recursive?: RegExp): Sweeps {
  return (argv) => (recursive && !argv.some((word) => recursive.test(word)) ? [] : orHere(positionals(argv)));
}

/**
 * What a program sends, serves or packs as a whole: the values of the options that name a folder, else its names where it has no
 * such options, else the folder it runs in. `verbs` says in which lines it does; behind the program, joined by blanks.
 */
export function gathered(verbs?: RegExp, folders = ''): Sweeps {
  const options = folders.split(' ').filter((option) => option !== '');
  return (argv) => {
    const line = argv.slice(1).join(' ');
    if (verbs && !verbs.test(line)) return [];
    if (options.length > 0) return orHere(valuesOf(argv, options));
    const said = new Set((verbs?.exec(line)?.[0] ?? '').split(' '));
    return orHere(positionals(argv).filter((word) => !said.has(word) && !isPort.test(word)));
  };
}

const isPort = /^(?:[\w.-]*:)?\d+$/;

/** The values of options, behind `=` or as the next word. */
function valuesOf(argv: readonly string[], options: readonly string[]): readonly string[] {
  return argv.flatMap((word, at) => {
    const option = options.find((one) => word === one || word.startsWith(`${one}=`));
    const value = option === undefined ? undefined : word === option ? argv[at + 1] : word.slice(option.length + 1);
    return value === undefined || value.startsWith('-') ? [] : [value];
  });
}

const shows =
  /^(?:diff|show|grep|cat-file|archive|format-patch|diff-(?:tree|index|files)|difftool|whatchanged|range-diff|bundle|fast-export)$/;
/** They put files of the repository into another folder. */
const copies = /^(?:worktree add|checkout-index)\b/;
const lists = /^(?:log|reflog|stash|rev-list)$/;
const asksPatch = /^(?:-[A-Za-z]*[pucm]|-U\d*|--(?:patch.*|unified.*|cc|full-diff|remerge-diff)|-[LGS].*)$/;
const namesOnly = /^--(?:name-only|name-status|stat.*|shortstat|numstat|dirstat.*|summary|no-patch|quiet)$|^-s$/;

/** What git shows of contents: `show HEAD:file` one file, with `-- path` what lies there, else anything of the repository. */
export function sweptByGit(argv: readonly string[], verbAt: number): readonly string[] {
  const verb = argv[verbAt] ?? '';
  const rest = argv.slice(verbAt + 1);
  if (copies.test(`${verb} ${rest[0] ?? ''}`)) return [wholeTree];
  if (verb === 'clone') return rest.flatMap((word) => /^(?:file:\/\/)?([./~].*)$/s.exec(word)?.[1] ?? []).slice(0, 1);
  const wantsPatch = rest.some((word) => asksPatch.test(word));
  if (lists.test(verb) ? !wantsPatch : !shows.test(verb)) return [];
  if (!wantsPatch && rest.some((word) => namesOnly.test(word))) return [];
  const dashes = rest.indexOf('--');
  const behind = dashes < 0 ? [] : rest.slice(dashes + 1);
  if (behind.length > 0) return behind.map((path) => (path.startsWith(':') ? wholeTree : path));
  const objects = rest.filter((word) => !word.startsWith('-'));
  const isFile = /^[^:]*:(?!\/)(.+)$/s;
  if (verb === 'show' && objects.length > 0 && objects.every((word) => isFile.test(word)))
    return objects.map((word) => isFile.exec(word)?.[1] ?? wholeTree);
  return [wholeTree];
}
