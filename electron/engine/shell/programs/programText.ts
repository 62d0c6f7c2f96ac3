import { type Command, isLiteral, literalWord, type Word } from '../parse/line.ts';
import { awkEffects } from './awkProgram.ts';
import { type OptionCommand, optionCommands } from './commandOptions.ts';
import { gitVerbIndex } from './gitVerbIndex.ts';
import { sedEffects, type TextEffects } from './sedScript.ts';
import { programName } from './wrapperTable.ts';

/** What stands in the words of a program and is run or written by it. */
export interface ProgramText {
  /** Shell lines. */
  readonly runs: readonly string[];
  readonly writes: readonly Word[];
  /** Words up to the end of the last such text: a rule must name them all. */
  readonly reach: number;
  /** Why not all of it can be known. */
  readonly opaque?: string;
}

const interpreters: ReadonlyMap<string, RegExp> = new Map([
  ...['python', 'python2', 'python3', 'pypy', 'pypy3'].map((name) => [name, /^-[A-Za-z]*c$/] as const),
  ...['node', 'nodejs', 'bun'].map((name) => [name, /^(?:-[pe]|-pe|--eval|--print)$/] as const),
  ...['perl', 'ruby', 'lua', 'luajit', 'osascript', 'rscript', 'julia', 'scala', 'groovy'].map(
    (name) => [name, /^-[A-Za-z0-9]*[eE]$/] as const,
  ),
  ['php', /^-[rRBE]$/],
  ['deno', /^eval$/],
]);

/** Reads the programs of sed and awk, and the options in which other programs are given a command. */
export function programText(command: Command): ProgramText | undefined {
  const { argv } = command;
  const name = programName(argv[0] ?? '');
  if (name === 'sed' || name === 'gsed') return ofTexts(command, sedScripts(command), sedEffects, name);
  if (/^[gmn]?awk$/.test(name)) return ofTexts(command, awkPrograms(command), awkEffects, name);
  if (name === 'make' || name === 'gmake') return ofMake(argv);
  if (name === 'ed' || name === 'ex') return ofEditor(command, name);
  const inline = interpreters.get(name);
  const code = inline ? argv.findIndex((word, index) => index > 0 && inline.test(word)) : -1;
  if (code > 0) return { runs: [], writes: [], reach: Math.min(code + 2, argv.length) };
  const key = name === 'git' ? `git ${argv[gitVerbIndex(argv)] ?? ''}` : name;
  return ofCommands([...optionCommands(key, argv), ...ownForms(name, argv)]);
}

function ofCommands(commands: readonly OptionCommand[]): ProgramText | undefined {
  if (commands.length === 0) return undefined;
  const reach = Math.max(...commands.map(({ at }) => at)) + 1;
  return { runs: commands.map(({ script }) => script), writes: [], reach };
}

/** `less +!cmd`, `zip -TT cmd`, `socat EXEC:cmd`, `git clone ext::cmd`. */
function ownForms(name: string, argv: readonly string[]): readonly OptionCommand[] {
  const form = new Map([
    ...['less', 'more', 'most'].map((pager) => [pager, /^\+.*?!(.+)$/s] as const),
    ...['vi', 'vim', 'nvim', 'gvim', 'view', 'vimdiff'].map((editor) => [editor, /^\+.*?!(.+)$/s] as const),
    ['zip', /^-TT(.+)$/s],
    ['socat', /^(?:exec|system|shell):([^,]+)/is],
    ['git', /^ext::(.+)$/s],
  ]).get(name);
  if (!form) return [];
  return argv.flatMap((word, at): readonly OptionCommand[] => {
    const script = form.exec(word)?.[1];
    if (script !== undefined) return [{ script, at }];
    const next = argv[at + 1];
    return name === 'zip' && word === '-TT' && next !== undefined ? [{ script: next, at: at + 1 }] : [];
  });
}

interface Script {
  readonly word: Word;
  readonly text: string;
  readonly at: number;
}

function ofTexts(
  command: Command,
  scripts: readonly Script[],
  read: (text: string) => TextEffects | undefined,
  name: string,
): ProgramText | undefined {
  const runs: string[] = [];
  const writes: Word[] = [];
  let opaque: string | undefined;
  let reach = 0;
  for (const { word, text, at } of scripts) {
    const effects = read(text);
    const isWhole = !isLiteral(word) && word.pieces.find((piece) => piece.text !== '')?.kind !== 'text';
    if (isWhole) opaque = `the script of ${name} is only known when it runs`;
    else if (!effects || !isLiteral(word)) opaque ??= `the script of ${name} is not understood`;
    else if (effects.runsInput) opaque = `what ${name} runs is only known when it runs`;
    runs.push(...(effects?.runs ?? []));
    for (const file of effects?.writes ?? []) writes.push(file === null ? unknownWord : literalWord(file));
    const isEvent = opaque !== undefined || runs.length + writes.length > 0;
    if (isEvent) reach = Math.max(reach, at + 1);
  }
  if (reach === 0) return undefined;
  return { runs, writes, reach: Math.min(reach, command.argv.length), ...(opaque === undefined ? {} : { opaque }) };
}

const unknownWord: Word = {
  raw: 'a file that its script names',
  value: 'a file that its script names',
  pieces: [{ kind: 'substitution', text: '$(awk)' }],
};

/** The values of `-e`, else the first word that is no option. */
function sedScripts({ words }: Command): readonly Script[] {
  return scriptsOf(
    words,
    /^(?:-[nErszu]*e|--expression)$/,
    /^(?:-[nErszu]*e|--expression=)(.+)$/s,
    /^(?:-[fl]|--file|--line-length)$/,
  );
}

function awkPrograms({ words }: Command): readonly Script[] {
  return scriptsOf(
    words,
    /^(?:-e|--source)$/,
    /^--source=(.+)$/s,
    /^(?:-[FvfiEl]|--(?:field-separator|assign|file|include|exec|load))$/,
  );
}

function scriptsOf(words: readonly Word[], option: RegExp, glued: RegExp, valued: RegExp): readonly Script[] {
  const given: Script[] = [];
  let first: Script | undefined;
  let isFile = false;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    const next = words[at + 1];
    const tail = glued.exec(word.value)?.[1];
    if (option.test(word.value) && next) {
      at += 1;
      given.push({ word: next, text: next.value, at });
    } else if (tail !== undefined) given.push({ word, text: tail, at });
    else if (valued.test(word.value)) {
      isFile ||= /^(?:-[fE]|--file|--exec)$/.test(word.value);
      at += 1;
    } else if (!/^-./.test(word.value)) first ??= { word, text: word.value, at };
    else if (/^-f./.test(word.value)) isFile = true;
  }
  return given.length > 0 || isFile || !first ? given : [first];
}

/** `SHELL=…` runs every line of a makefile; other variables may be what a line runs. */
function ofMake(argv: readonly string[]): ProgramText | undefined {
  const commands = argv.flatMap((word, at): readonly OptionCommand[] => {
    const script = at === 0 ? undefined : /^(?:--eval=|[\w.]+\s*[:?+]*=)(.+)$/s.exec(word)?.[1];
    return script === undefined || !/\s|^(?:\/|\.)|[;&|]/.test(script) ? [] : [{ script, at }];
  });
  const shell = argv.findIndex((word) => /^\.?SHELL(?:FLAGS)?\s*[:?+]*=/.test(word));
  const isSent = argv.some(
    (word, at) =>
      /^(?:-f-|-f\/dev\/stdin|--(?:make)?file=(?:-|\/dev\/stdin))$/.test(word) ||
      (/^(?:-f|--file|--makefile)$/.test(word) && /^(?:-|\/dev\/stdin)$/.test(argv[at + 1] ?? '')),
  );
  const found = ofCommands(commands);
  if (isSent || shell > 0) {
    const opaque = isSent
      ? 'make runs what it is sent'
      : 'the program that runs the lines of make is given on the line';
    return { runs: found?.runs ?? [], writes: [], reach: argv.length, opaque };
  }
  return found;
}

/** `!cmd` and `w file` in what an editor of lines is sent, or in `-c`. */
function ofEditor({ argv, redirects }: Command, name: string): ProgramText | undefined {
  const given = name === 'ex' ? optionCommands(name, argv) : [];
  const lines = redirects.flatMap(({ body }) => (body === undefined ? [] : body.split('\n')));
  const runs = lines.flatMap((line) => /^[^!a-z]*(?:[rwe]\s*)?!\s*(.+)$/s.exec(line)?.[1] ?? []);
  const writes = lines.flatMap((line) => /^[^a-zA-Z]*[wW]q?!?\s+([^!\s].*)$/.exec(line)?.[1] ?? []);
  if (given.length + runs.length + writes.length === 0) return undefined;
  return {
    runs: [...given.map(({ script }) => script), ...runs],
    writes: writes.map(literalWord),
    reach: Number.POSITIVE_INFINITY,
  };
}
