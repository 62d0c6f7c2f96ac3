import { type Command, isLiteral } from '../../shell/parse/line.ts';
import { joined, type PlacedLine } from '../../shell/placedLine.ts';
import { gitVerbIndex } from '../../shell/programs/git.ts';
import { programName } from '../../shell/programs/program.ts';
import { isReadOnlyCommand } from '../../shell/readOnly.ts';
import type { OtherTrees } from './otherTrees.ts';

/** Reads patches; lent by the workspace room. */
export interface PatchReader {
  /** The text of a file by its absolute path; nothing when it cannot be read as a patch. */
  text(path: string): string | undefined;
  /** The names in the headers of a patch; nothing when they do not stand there in plain words. */
  names(text: string): readonly string[] | undefined;
}

const unknownPatch = 'writes the files that a patch names, and which those are shows only when it runs';

/** `git apply`, `git am` and `patch` write files that no word of theirs names: they stand in the patch (C14). */
export function patchedFiles({ commands, folders }: PlacedLine, reader: PatchReader): OtherTrees {
  const paths = new Set<string>();
  const always = new Set<string>();
  commands.forEach((command, at) => {
    const given = patchesOf(command);
    if (given === undefined) return;
    // What ran before may have written the patch.
    const isMade = (files: readonly string[]): boolean =>
      files.length > 0 && !commands.slice(0, at).every((one) => isReadOnlyCommand(one));
    if (given === 'unknown' || isMade(given.files)) {
      always.add(unknownPatch);
      return;
    }
    for (const folder of folders) {
      const base = joined(folder, given.folder);
      const texts = [...given.texts, ...given.files.map((file) => reader.text(joined(base, file)))];
      for (const text of texts) {
        const names = text === undefined ? undefined : reader.names(text);
        if (names === undefined) always.add(unknownPatch);
        else
          for (const name of names.flatMap((one) => stripped(one, given.strip)))
            paths.add(joined(joined(base, given.below), name));
      }
    }
  });
  return { paths: [...paths], always: [...always] };
}

interface Patches {
  readonly files: readonly string[];
  readonly texts: readonly string[];
  readonly folder: string;
  /** Where its names begin. */
  readonly below: string;
  /** How many folders go from the front of each name; undefined: the program finds out. */
  readonly strip: number | undefined;
}

/** Options that neither name a place nor begin anything; git takes others by their beginning alone, so what is not here is asked. */
const flags = {
  git: /^(?:-[N3qvRiskumcz]+|--(?:index|cached|3way|no-3way|reverse|reject|recount|verbose|quiet|signoff|keep|keep-cr|no-keep-cr|keep-non-patch|utf8|scissors|no-scissors|message-id|intent-to-add|allow-overlap|allow-empty|unidiff-zero|ignore-space-change|ignore-whitespace|inaccurate-eof|no-add|committer-date-is-author-date|ignore-date))$/,
  patch:
    /^(?:-[NRusftlbE]+|--(?:forward|reverse|unified|silent|quiet|force|batch|verbose|backup|binary|ignore-whitespace|remove-empty-files|no-backup-if-mismatch))$/,
} as const;
const valued = {
  git: /^(-[pC]|--(?:directory|include|exclude|whitespace|quoted-cr))(?:(?<=^-.)(?=.)|=|$)(.*)$/s,
  patch: /^(-[pidF]|--(?:strip|input|directory|fuzz))(?:(?<=^-.)(?=.)|=|$)(.*)$/s,
} as const;
const idle = {
  apply: /^--(?:check|stat|numstat|summary)$/,
  am: /^--(?:abort|quit|skip|show-current-patch(?:=.*)?)$/,
  patch: /^--dry-run$/,
} as const;
const longNames: Readonly<Record<string, string>> = { '--strip': '-p', '--input': '-i', '--directory': '-d' };

/** What a command applies; undefined when it applies nothing. */
function patchesOf(command: Command): Patches | 'unknown' | undefined {
  const { argv, words, redirects, assignments } = command;
  const program = programName(argv[0] ?? '') === 'git' ? 'git' : 'patch';
  const verbAt = program === 'git' ? gitVerbIndex(argv) : 0;
  const verb = program === 'git' ? (argv[verbAt] ?? '') : programName(argv[0] ?? '');
  if (verb !== 'patch' && (program !== 'git' || (verb !== 'apply' && verb !== 'am'))) return undefined;
  const before = argv.slice(1, Math.max(1, verbAt)).filter((word) => word !== '--no-pager');
  const isPlaced = before.length === 0 || (before.length === 2 && before[0] === '-C');
  const read = optionsOf(argv.slice(verbAt + 1), program, idle[verb]);
  if (read === 'idle') return undefined;
  const isLed = assignments.some(({ name }) => /^(?:GIT|PATCH|POSIXLY)_/.test(name));
  if (read === 'unknown' || !isPlaced || isLed || !words.every(isLiteral)) return 'unknown';
  const { names, values } = read;
  const sent = redirects.filter(({ op }) => op.startsWith('<'));
  const texts = sent.flatMap(({ body }) => body ?? []);
  const input = program === 'git' ? undefined : values.get('-i');
  const files = [
    ...(program === 'git'
      ? names.filter((name) => name !== '-')
      : [...names.slice(1), ...(input === undefined ? [] : [input])]),
    ...sent.flatMap(({ body, word }) => (body === undefined ? [word.value] : [])),
  ];
  if (files.length + texts.length === 0 || sent.some(({ word, body }) => body === undefined && !isLiteral(word)))
    return 'unknown';
  const strip = values.get('-p');
  if (strip !== undefined && !/^\d{1,3}$/.test(strip)) return 'unknown';
  return {
    files,
    texts,
    folder: before[1] ?? '.',
    below: values.get('-d') ?? '.',
    // Without it git, too, guesses: from the first header that it did not write itself, for all that follow.
    strip: strip === undefined ? undefined : Number(strip),
  };
}

interface Options {
  readonly names: readonly string[];
  readonly values: ReadonlyMap<string, string>;
}

/** The words of a command in the order in which the program reads them; unknown where one may mean another place. */
function optionsOf(rest: readonly string[], program: 'git' | 'patch', rests: RegExp): Options | 'idle' | 'unknown' {
  const names: string[] = [];
  const values = new Map<string, string>();
  let isIdle = false;
  for (let at = 0; at < rest.length; at += 1) {
    // `-Np1` is `-N -p1`.
    const word = (rest[at] ?? '').replace(/^-[NRsu]+(?=p\d+$)/, '-');
    if (word === '--') {
      names.push(...rest.slice(at + 1));
      break;
    }
    const [, option, glued = ''] = valued[program].exec(word) ?? [];
    if (rests.test(word)) isIdle = true;
    else if (option !== undefined) {
      const key = longNames[option] ?? option;
      const isSplit = word === option;
      if (values.has(key) && /^-[pid]$/.test(key)) return 'unknown';
      values.set(key, isSplit ? (rest[at + 1] ?? '') : glued);
      at += isSplit ? 1 : 0;
    } else if (!word.startsWith('-') || word === '-') names.push(word);
    else if (!flags[program].test(word)) return 'unknown';
  }
  return isIdle ? 'idle' : { names, values };
}

/** What may be left of a name: adjacent slashes count as one, as all three programs count them. */
function stripped(name: string, strip: number | undefined): readonly string[] {
  const parts = name.split(/\/+/);
  if (strip !== undefined) return [parts.slice(Math.min(strip, parts.length - 1)).join('/')];
  return parts.map((_, at) => parts.slice(at).join('/')).filter((one) => one !== '');
}
