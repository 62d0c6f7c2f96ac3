import { type Command, commandOfArgv } from '../../shell/parse/line.ts';
import { parseLine } from '../../shell/parse/parseLine.ts';
import type { PlacedLine } from '../../shell/placedLine.ts';
import { gitVerbIndex, readsConfig } from '../../shell/programs/git.ts';
import { programName } from '../../shell/programs/program.ts';
import { programOf } from '../../shell/programs/programs.ts';
import { deepCommands } from '../../shell/unwrap.ts';
import { changesFiles, writeTargets } from '../../shell/writeTargets.ts';
import { beyondProject, mayDestroyBeyond } from './beyondProject.ts';
import { destroys, forksWithoutEnd } from './destruction.ts';
import { looseTexts, looseWords } from './looseTexts.ts';
import { namedPlaces } from './namedPlaces.ts';
import { type ProtectedPath, protectedName, protectedTarget } from './protectedTargets.ts';

export type { ProtectedPath };

export interface Danger {
  /** Why this gets a red card and is asked even under "allow all" (C4). */
  readonly red: readonly string[];
  /** Why this is always asked although it is ordinary otherwise: writes to protected places (P12). */
  readonly always: readonly string[];
  /** Why no level passes it, though a rule may: what it does beyond this project. */
  readonly beyond: readonly string[];
}

/** What of a line no rule and no level may allow. Wrappers do not hide anything that can be known from the text. */
export function findDanger(
  { line, commands, folders, isComplete, around }: PlacedLine,
  protectedPath: ProtectedPath,
): Danger {
  const red = new Set<string>();
  const always = new Set<string>();
  const beyond = new Set<string>();
  const bomb = forksWithoutEnd(line);
  if (bomb) red.add(bomb);
  const moves = commands.filter(({ argv }) => /^(?:cd|chdir|pushd)$/.test(argv[0] ?? '')).length;
  if (moves > maxMoves || !isComplete) always.add('changes the folder more often than can be followed');
  if (commands.some(({ argv }) => argv.length > maxWords)) always.add('has more words than can be followed');
  if (commands.some((command) => tailStarts(command).length > maxTails))
    always.add('names more programs than can be followed');
  for (const command of commands.flatMap(withTails)) {
    const why = destroys(command, folders, around);
    if (why) red.add(why);
    for (const target of writeTargets(command)) {
      const reason = protectedTarget(target, folders, around, protectedPath);
      if (reason) always.add(`writes ${target.value}: ${reason}`);
    }
    for (const word of namedPlaces(command)) {
      const reason = protectedName(word, folders, around, protectedPath);
      if (reason && !always.has(`writes ${word.value}: ${reason}`)) always.add(`names ${word.value}: ${reason}`);
    }
    if (/^(?:xargs|parallel)$/.test(command.via.at(-1) ?? '') && changesFiles(command))
      always.add(`${command.argv[0]} changes files, and another command says which`);
    const { always: standing, asked } = beyondProject(command);
    for (const setting of [changesGit(command), standing]) if (setting) always.add(setting);
    if (asked) beyond.add(asked);
    const code = writesFromCode(command, protectedPath);
    if (code) always.add(code);
  }
  for (const command of looseTexts(commands).flatMap(partsOfText)) {
    const why = destroys(command, folders, around);
    if (why) red.add(`a text in it ${why}`);
    for (const { value } of writeTargets(command)) {
      const reason = protectedPath(value);
      if (reason) always.add(`a text in it writes ${value}: ${reason}`);
    }
  }
  return { red: [...red], always: [...always], beyond: [...beyond] };
}

/** A text as a shell would read it, and its words wherever they stand. */
function partsOfText(text: string): readonly Command[] {
  const words = looseWords(text);
  const tails = [...words.argv.keys()]
    .filter((at) => isDestroyer(words.argv[at] ?? ''))
    .slice(0, maxTails)
    .map((at) => ({ ...words, argv: words.argv.slice(at), words: words.words.slice(at) }));
  return [...deepCommands(parseLine(text)).commands, ...tails, ...removals(text)];
}

/** `shutil.rmtree('/')`, `fs.rmSync("/")`: removals of the languages themselves, as the command that they are like. */
function removals(text: string): readonly Command[] {
  const calls =
    /\b(?:rmtree|rmSync|rmdirSync|removeSync|rm_rf|rm_r|delete-directory|remove_tree|remove_entry|rimraf|RemoveAll)\s*\(?\s*["'`]([^"'`]+)["'`]/g;
  return [...text.matchAll(calls)].slice(0, maxTails).map((found) => commandOfArgv(['rm', '-rf', found[1] ?? '']));
}

/** More words than this in one command are no list that a person reads; a rule or level must not pass them unseen. */
const maxWords = 1_000;
/** Each change of folder may double the places where the rest runs. */
const maxMoves = 8;
/** Each is judged with all words behind it; a line of thousands must not stall the engine (J5). */
const maxTails = 16;

/** Programs that a word may name which nobody expects to be run. */
function isDestroyer(word: string): boolean {
  const { destroys: found, changes } = programOf(word);
  return found !== undefined || typeof changes === 'object' || mayDestroyBeyond(word);
}

/** A wrapper that is not known, or its options, must not hide a destroyer: each later word may be the real program. */
function withTails(command: Command): readonly Command[] {
  const tails = tailStarts(command)
    .slice(0, maxTails)
    .map((at) => ({ ...command, argv: command.argv.slice(at), words: command.words.slice(at), redirects: [] }));
  return [command, ...tails];
}

function tailStarts({ argv }: Command): readonly number[] {
  // Where words are only texts or names, nothing that stands there is run.
  const { words, connects } = programOf(argv[0] ?? '');
  if (words === 'messages' || (words !== undefined && connects !== true)) return [];
  return [...argv.keys()].filter((at) => at > 0 && isDestroyer(argv[at] ?? ''));
}

/** What git writes that names programs to run. */
function changesGit({ argv }: Command): string | undefined {
  if (programName(argv[0] ?? '') !== 'git') return undefined;
  const at = gitVerbIndex(argv);
  const values = argv.slice(at + 1);
  if (argv[at] === 'maintenance')
    return /^(?:start|register)$/.test(values[0] ?? '') ? 'starts git by the clock' : undefined;
  if (argv[at] === 'lfs') return values[0] === 'install' ? 'writes hooks and settings of git' : undefined;
  if (argv[at] !== 'config') return undefined;
  const names = values.filter((value) => !value.startsWith('-')).length;
  // `git config NAME` alone prints the value.
  if (values.length === 1 && names === 1) return undefined;
  return readsConfig(values, names) ? undefined : 'changes settings of git, which can name programs to run';
}

/** A script on the line that mentions a protected place, for a language that is not read here. */
function writesFromCode({ argv, redirects }: Command, protectedPath: ProtectedPath): string | undefined {
  if (programOf(argv[0] ?? '').interprets !== 'code') return undefined;
  const bodies = redirects.flatMap(({ body }) => body ?? []);
  for (const script of [...argv.slice(1), ...bodies].filter((word) => /[\s('"]/.test(word))) {
    for (const path of script.match(/[\w.~/@+-]*\.[\w./@+-]+/g) ?? []) {
      const reason = protectedPath(path);
      if (reason) return `its script mentions ${path}: ${reason}`;
    }
  }
  return undefined;
}
