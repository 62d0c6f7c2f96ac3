import { type Command, isLiteral, type Loop, literalWord, type ParsedLine, type Word } from './parse/line.ts';
import { parseLine } from './parse/parseLine.ts';
import { optionCommands } from './programs/commandOptions.ts';
import { type Program, programName, type Runs, split, type Wraps } from './programs/program.ts';
import { programOf } from './programs/programs.ts';

/** What one command runs besides itself. */
export interface Unwrapped {
  /** Every command that its program is known to run. */
  readonly commands: readonly Command[];
  /** Words of the outer command that end with the name of the inner program, or with the script: a rule must reach so far. */
  readonly reach: number;
  /** The inner commands stand in one word, or in several places; else the inner command is the outer one's tail. */
  readonly apart: boolean;
  /** Why what it runs cannot be known; such a command is never covered by a command rule. */
  readonly opaque: string | undefined;
  readonly loops: readonly Loop[];
  /** Files that texts in its words write. */
  readonly writes: readonly Word[];
}

const known = new WeakMap<Command, Unwrapped | null>();

/** The commands behind wrappers and runners (C2): `sudo rm`, `xargs rm`, `find -exec rm`, `sh -c 'rm'`, `ssh host rm` … */
export function unwrap(command: Command): Unwrapped | undefined {
  const before = known.get(command);
  if (before !== undefined) return before ?? undefined;
  const found = unwrapAnew(command);
  known.set(command, found ?? null);
  return found;
}

function unwrapAnew(command: Command): Unwrapped | undefined {
  const [first] = command.words;
  if (!first || command.kind === 'condition') return undefined;
  if (!isLiteral(first)) return resolved(command, '', { reach: 1, opaque: 'the program is only known when it runs' });
  const program = programOf(first.value);
  const name = programName(first.value);
  const found = runsOf(program, name, command).map((runs) => resolved(command, name, runs));
  const [only] = found;
  if (!only || found.length === 1) return only;
  return {
    commands: found.flatMap(({ commands }) => commands),
    reach: Math.max(...found.map(({ reach }) => reach)),
    apart: found.some(({ apart }) => apart),
    opaque: found.find(({ opaque }) => opaque !== undefined)?.opaque,
    loops: found.flatMap(({ loops }) => loops),
    writes: found.flatMap(({ writes }) => writes),
  };
}

function runsOf(program: Program, name: string, command: Command): readonly Runs[] {
  const { argv } = command;
  const found: (Runs | undefined)[] = [program.runs?.(command)];
  const given = program.takes ? [...optionCommands(program.takes, argv)] : [];
  for (const [at, word] of program.runsIn ? argv.entries() : []) {
    const script = program.runsIn?.exec(word)?.[1];
    if (script !== undefined) given.push({ script, at });
  }
  if (given.length > 0) {
    const reach = Math.max(...given.map(({ at }) => at)) + 1;
    found.push({ scripts: given.map(({ script }) => script), reach, apart: true });
  }
  const { inline } = program;
  const code = inline ? argv.findIndex((word, index) => index > 0 && inline.test(word)) : -1;
  if (code > 0) found.push({ reach: Math.min(code + 2, argv.length), apart: true });
  if (program.wraps) found.push(wrapped(command, name, program.wraps));
  return found.filter((runs) => runs !== undefined);
}

function resolved(command: Command, name: string, runs: Runs): Unwrapped {
  const via = [...command.via, name];
  const commands: Command[] = (runs.commands ?? []).map((words) => ({
    ...command,
    kind: 'command',
    argv: words.map(({ value }) => value),
    words,
    assignments: [],
    redirects: [],
    dynamic: !words.every(isLiteral),
    via,
  }));
  const loops: Loop[] = [];
  let { opaque } = runs;
  for (const script of runs.scripts ?? []) {
    if (typeof script !== 'string' && !isLiteral(script)) {
      opaque ??= `the script of ${name} is only known when it runs`;
      continue;
    }
    const line = parseLine(typeof script === 'string' ? script : script.value);
    const why =
      line.unparsable ?? line.ambiguous[0] ?? (line.functions.length > 0 ? 'it defines a function' : undefined);
    if (why !== undefined) opaque ??= `the script of ${name} is not understood: ${why}`;
    commands.push(...line.commands.map((inner) => ({ ...inner, places: [...command.places, ...inner.places], via })));
    loops.push(...line.loops);
  }
  if (runs.loose) commands.push(...parseLine(runs.loose).commands.map((inner) => ({ ...inner, via })));
  return { commands, reach: runs.reach, apart: runs.apart === true, opaque, loops, writes: runs.writes ?? [] };
}

/** Every command of a line, with what wrappers run. */
export interface DeepCommands {
  readonly commands: readonly Command[];
  /** Why something cannot be known. */
  readonly opaque: readonly string[];
  readonly loops: readonly Loop[];
}

const deep = new WeakMap<ParsedLine, DeepCommands>();

/** Deeper than eight wrappers is opaque. */
export function deepCommands(line: ParsedLine): DeepCommands {
  const before = deep.get(line);
  if (before) return before;
  const commands: Command[] = [];
  const loops: Loop[] = [...line.loops];
  const opaque: string[] = [];
  const visit = (command: Command): void => {
    commands.push(command);
    if (command.via.length >= 8 || commands.length > 500) {
      opaque.push('too many programs run each other');
      return;
    }
    const inner = unwrap(command);
    if (inner?.opaque) opaque.push(inner.opaque);
    loops.push(...(inner?.loops ?? []));
    for (const next of inner?.commands ?? []) visit(next);
  };
  for (const command of line.commands) visit(command);
  const found = { commands, opaque, loops };
  deep.set(line, found);
  return found;
}

/** What a wrapper runs, by its table. */
function wrapped({ argv, words }: Command, name: string, form: Wraps): Runs | undefined {
  if (form.unless?.test(argv[1] ?? '')) return undefined;
  const verbs = form.verbs ? split(form.verbs) : [];
  const verbAt = form.verbs ? argv.findIndex((word, at) => at > 0 && verbs.includes(word)) : 0;
  if (verbAt < 0 || argv.slice(1, verbAt).some((word) => !word.startsWith('-') && word !== 'compose')) return undefined;
  const scripts = form.script ? split(form.script) : [];
  const valued = form.valued ? split(form.valued) : [];
  let index = verbAt + 1;
  let skip = form.skip ?? 0;
  for (; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    const script = scripts.find((option) => word === option || word.startsWith(`${option}=`) || isGlued(word, option));
    if (script !== undefined) {
      if (word !== script)
        return { scripts: [word.slice(script.length).replace(/^=/, '')], reach: index + 1, apart: true };
      const next = words[index + 1];
      return next && { scripts: [next], reach: index + 2, apart: true };
    }
    if (word === '--') {
      index += 1 + skip;
      break;
    }
    if (/^[-+]./.test(word)) {
      if (takesValue(word, valued)) index += 1;
    }
    // No program is called like that: where a wrapper takes no such words, they are passed over too.
    else if (skip === 0 && /^(?:[A-Za-z_]\w*\+?=|!$)/.test(word)) continue;
    else if (skip > 0) skip -= 1;
    else break;
  }
  // The words of kubectl and docker stand behind `--` or the container; a second `--` is a separator too.
  if (argv[index] === '--') index += 1;
  const rest = name === 'xargs' ? withReplaced(words.slice(index), argv.slice(1, index)) : words.slice(index);
  if (rest.length === 0) return undefined;
  if (!form.joined) {
    const inner = rest.map((word) => (word.raw === '' ? literalWord(word.value) : word));
    return { commands: [inner], reach: index + 1 };
  }
  if (!rest.every(isLiteral)) return { reach: index + 1, opaque: `what ${name} runs is only known when it runs` };
  return { scripts: [rest.map(({ value }) => value).join(' ')], reach: argv.length, apart: true };
}

/** Words that xargs fills in are only known when it runs. */
function withReplaced(words: readonly Word[], options: readonly string[]): readonly Word[] {
  const marks = options.flatMap((option, at): readonly string[] => {
    const given = /^(?:-I|-J|--replace=)(.*)$/s.exec(option)?.[1];
    if (given !== undefined) return [given === '' ? (options[at + 1] ?? '{}') : given];
    return /^(?:-i|--replace$)/.test(option) ? [option.slice(2) || '{}', '{}'] : [];
  });
  if (marks.length === 0) return words;
  return words.map((word) =>
    marks.some((mark) => word.value.includes(mark))
      ? { ...word, pieces: [{ kind: 'variable', text: word.value, name: 'xargs', quoted: true }] }
      : word,
  );
}

function isGlued(word: string, option: string): boolean {
  return option.length === 2 && word.startsWith(option) && word.length > 2;
}

/** `-u root`, and clusters that end with such an option (`-nu root`). */
function takesValue(word: string, valued: readonly string[]): boolean {
  if (valued.includes(word)) return true;
  if (!/^-[A-Za-z]{2,}$/.test(word)) return false;
  const letters = word.slice(1);
  return [...letters].findIndex((letter) => valued.includes(`-${letter}`)) === letters.length - 1;
}
