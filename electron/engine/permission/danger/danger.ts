import { gitVerbIndex } from '../commandParts/gitVerbIndex.ts';
import { parseCommand } from '../commandParts/parseCommand.ts';
import { type CommandPart, type ParsedCommand, partOfArgv } from '../commandParts/types.ts';
import { deepParts } from '../commandParts/unwrap.ts';
import { programName } from '../commandParts/wrapperTable.ts';
import { readOnlyConfig } from '../readOnly/git.ts';
import { destroys, forksWithoutEnd } from './destruction.ts';
import { looseTexts, looseWords } from './looseTexts.ts';
import { foldersOf, type Surroundings } from './places.ts';
import { type ProtectedPath, protectedTarget } from './protectedTargets.ts';
import { valuesOf } from './values.ts';
import { isWriter, writeTargets } from './writeTargets.ts';

export type { ProtectedPath, Surroundings };

export interface Danger {
  /** Why this gets a red card and is asked even under "allow all" (C4). */
  readonly red: readonly string[];
  /** Why this is always asked although it is ordinary otherwise: writes to protected places (P12). */
  readonly always: readonly string[];
}

/** What of a command no rule and no level may allow. Wrappers do not hide anything that can be known from the text. */
export function findDanger(
  parsed: ParsedCommand,
  { environment, ...place }: Omit<Surroundings, 'values'> & { readonly environment?: Readonly<Record<string, string>> },
  protectedPath: ProtectedPath,
): Danger {
  const { parts, loops } = deepParts(parsed);
  const around = { ...place, values: valuesOf(parts, loops, { environment, functions: parsed.functions }) };
  const { folders, isComplete } = foldersOf(parts, around);
  const red = new Set<string>();
  const always = new Set<string>();
  const bomb = forksWithoutEnd(parsed);
  if (bomb) red.add(bomb);
  const moves = parts.filter(({ argv }) => /^(?:cd|chdir|pushd)$/.test(argv[0] ?? '')).length;
  if (moves > maxMoves || !isComplete) always.add('changes the folder more often than can be followed');
  if (parts.some(({ argv }) => argv.length > maxWords)) always.add('has more words than can be followed');
  if (parts.some((part) => tailStarts(part).length > maxTails)) always.add('names more programs than can be followed');
  for (const part of parts.flatMap(withTails)) {
    const why = destroys(part, folders, around);
    if (why) red.add(why);
    for (const target of writeTargets(part)) {
      const reason = protectedTarget(target, folders, around, protectedPath);
      if (reason) always.add(`writes ${target.value}: ${reason}`);
    }
    if (/^(?:xargs|parallel)$/.test(part.via.at(-1) ?? '') && isWriter(part))
      always.add(`${part.argv[0]} changes files, and another command says which`);
    const setting = changesSettings(part);
    if (setting) always.add(setting);
    const code = writesFromCode(part, protectedPath);
    if (code) always.add(code);
  }
  for (const part of looseTexts(parts).flatMap(partsOfText)) {
    const why = destroys(part, folders, around);
    if (why) red.add(`a text in it ${why}`);
    for (const { value } of writeTargets(part)) {
      const reason = protectedPath(value);
      if (reason) always.add(`a text in it writes ${value}: ${reason}`);
    }
  }
  return { red: [...red], always: [...always] };
}

/** A text as a shell would read it, and its words wherever they stand. */
function partsOfText(text: string): readonly CommandPart[] {
  const words = looseWords(text);
  const tails = [...words.argv.keys()]
    .filter((at) => destroyers.test(programName(words.argv[at] ?? '')))
    .slice(0, maxTails)
    .map((at) => ({ ...words, argv: words.argv.slice(at), words: words.words.slice(at) }));
  return [...deepParts(parseCommand(text)).parts, ...tails, ...removals(text)];
}

/** `shutil.rmtree('/')`, `fs.rmSync("/")`: removals of the languages themselves, as the command that they are like. */
function removals(text: string): readonly CommandPart[] {
  const calls =
    /\b(?:rmtree|rmSync|rmdirSync|removeSync|rm_rf|rm_r|remove_tree|remove_entry|rimraf|RemoveAll)\s*\(?\s*["'`]([^"'`]+)["'`]/g;
  return [...text.matchAll(calls)].slice(0, maxTails).map((found) => partOfArgv(['rm', '-rf', found[1] ?? '']));
}

/** More words than this in one command are no list that a person reads; a rule or level must not pass them unseen. */
const maxWords = 1_000;
/** Each change of folder may double the places where the rest runs. */
const maxMoves = 8;
/** Each is judged with all words behind it; a line of thousands must not stall the engine (J5). */
const maxTails = 16;

const destroyers =
  /^(?:rm|rmdir|rimraf|truncate|rsync|shred|unlink|dd|mkfs.*|find|chmod|chown|mv|cp|tee|wipefs|shutdown|reboot|halt|poweroff|git|sed)$/;

/** A wrapper that is not known, or its options, must not hide a destroyer: each later word may be the real program. */
function withTails(part: CommandPart): readonly CommandPart[] {
  const tails = tailStarts(part)
    .slice(0, maxTails)
    .map((at) => ({ ...part, argv: part.argv.slice(at), words: part.words.slice(at), redirects: [] }));
  return [part, ...tails];
}

function tailStarts({ argv }: CommandPart): readonly number[] {
  if (!mayRunOthers(argv)) return [];
  return [...argv.keys()].filter((at) => at > 0 && destroyers.test(programName(argv[at] ?? '')));
}

/** Programs whose arguments are only texts or names cannot run what stands there. */
function mayRunOthers(argv: readonly string[]): boolean {
  return !/^(?:echo|printf|grep|rg|egrep|fgrep|git|which|type|man|whereis|ls|cat|apt|apt-get|brew|dnf|apk|npm|pnpm|yarn|cargo|go|pip|rm|mv|cp|sed|find|touch|mkdir|test|cd|command)$/.test(
    programName(argv[0] ?? ''),
  );
}

/** `git config` writes the file that names hooks, pagers and aliases; so do a few commands that keep their own files. */
function changesSettings({ argv }: CommandPart): string | undefined {
  const name = programName(argv[0] ?? '');
  if (name === 'crontab' && !argv.includes('-l')) return 'changes what runs by the clock';
  if (name !== 'git') return undefined;
  const at = gitVerbIndex(argv);
  if (argv[at] !== 'config') return undefined;
  const values = argv.slice(at + 1);
  const names = values.filter((value) => !value.startsWith('-')).length;
  // `git config NAME` alone prints the value.
  if (values.length === 1 && names === 1) return undefined;
  return readOnlyConfig(values, names) ? undefined : 'changes settings of git, which can name programs to run';
}

/** A script on the line that mentions a protected place, for a language that is not read here. */
function writesFromCode({ argv }: CommandPart, protectedPath: ProtectedPath): string | undefined {
  if (
    !/^(?:python[0-9.]*|node|deno|bun|perl|ruby|php|lua|awk|gawk|tclsh|osascript|pwsh|powershell)$/.test(
      programName(argv[0] ?? ''),
    )
  ) {
    return undefined;
  }
  for (const script of argv.slice(1).filter((word) => /[\s('"]/.test(word))) {
    for (const path of script.match(/[\w.~/@+-]*\.[\w./@+-]+/g) ?? []) {
      const reason = protectedPath(path);
      if (reason) return `its script mentions ${path}: ${reason}`;
    }
  }
  return undefined;
}
