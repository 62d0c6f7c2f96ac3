import { type SimpleCommand, simpleCommands } from './simpleCommands.ts';

/** Program, words that must follow, seconds. The figures are those of spec 001, section 5. */
const table: readonly (readonly [string, readonly string[], number])[] = [
  ['npm', ['install'], 30],
  ['npm', ['i'], 30],
  ['npm', ['ci'], 30],
  ['npm', ['test'], 30],
  ['npm', ['t'], 30],
  ['npm', ['run', 'test'], 30],
  ['yarn', ['install'], 30],
  ['yarn', ['test'], 30],
  ['pnpm', ['install'], 30],
  ['pnpm', ['i'], 30],
  ['bun', ['install'], 30],
  ['pip', ['install'], 20],
  ['poetry', ['install'], 25],
  ['cargo', ['build'], 60],
  ['cargo', ['install'], 45],
  ['cargo', ['test'], 30],
  ['go', ['build'], 30],
  ['go', ['test'], 20],
  ['docker', ['build'], 60],
  ['docker', ['buildx', 'build'], 60],
  ['docker', ['compose', 'build'], 60],
  ['docker', ['pull'], 30],
  ['git', ['clone'], 20],
  ['make', [], 30],
  ['ninja', [], 30],
  ['cmake', [], 20],
  ['pytest', [], 30],
  ['wget', [], 15],
  ['curl', [], 10],
];

/** Programs whose goal may stand behind others (`mvn clean install`). */
const goals: readonly (readonly [string, string, number])[] = [
  ['mvn', 'install', 60],
  ['mvn', 'test', 45],
  ['gradle', 'build', 45],
];

/** Options in front of the sub-command that take a value of their own. */
const valueOptions: Readonly<Record<string, readonly string[]>> = {
  git: ['-C', '-c', '--git-dir', '--work-tree', '--namespace'],
  npm: ['--prefix', '-C', '-w', '--workspace', '--registry', '--cache', '--userconfig', '--loglevel'],
  pnpm: ['-C', '--dir', '-F', '--filter'],
  yarn: ['--cwd'],
  cargo: ['--config', '-Z', '-C', '--color', '--manifest-path', '--target-dir'],
  docker: ['-H', '--host', '-c', '--context', '--config', '-l', '--log-level', '-f', '--file', '-p', '--project-name'],
  go: ['-C'],
  poetry: ['-C', '--directory', '-P', '--project'],
  pip: ['--proxy', '--log', '--cache-dir', '--timeout', '--retries'],
};

/** Programs that only start another one, with those of their options that take a value. */
const wrappers: Readonly<Record<string, readonly string[]>> = {
  sudo: ['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T', '--user', '--group'],
  env: ['-u', '-C', '-S', '--unset', '--chdir'],
  time: ['-f', '-o', '--format', '--output'],
  nice: ['-n', '--adjustment'],
  nohup: [],
  command: [],
  exec: ['-a'],
  xargs: ['-n', '-I', '-P', '-L', '-d', '-E', '-s', '-a', '--max-args', '--max-procs', '--arg-file', '--delimiter'],
  npx: ['-p', '--package', '-w'],
};

const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/;

/**
 * Seconds a command is likely to take, or null when nothing is known (spec 001, section 5). `slowCommands` maps a pattern of
 * one or more words to seconds and wins over the table. Pure.
 */
export function estimateSeconds(command: string, slowCommands: Readonly<Record<string, number>> = {}): number | null {
  return longest(simpleCommands(command), slowCommands);
}

/** The same for words that are started without a shell. */
export function estimateWords(argv: SimpleCommand, slowCommands: Readonly<Record<string, number>> = {}): number | null {
  return longest([argv], slowCommands);
}

function longest(commands: readonly SimpleCommand[], slow: Readonly<Record<string, number>>): number | null {
  let most: number | null = null;
  for (const words of commands) {
    const seconds = estimateOne(words, slow);
    if (seconds !== null && (most === null || seconds > most)) most = seconds;
  }
  return most;
}

function estimateOne(command: SimpleCommand, slow: Readonly<Record<string, number>>): number | null {
  const words = unwrap(command);
  const given = words[0];
  if (given === undefined) return null;
  const inner = shellText(given, words);
  if (inner !== undefined) return longest(simpleCommands(inner), slow);
  const { program, rest, plain } = readWords(words);

  for (const [pattern, seconds] of Object.entries(slow)) {
    if (matches(readWords(pattern.split(/\s+/).filter(Boolean)), program, plain)) return seconds;
  }
  const anywhere = goals
    .filter(([name, goal]) => name === program && plain.includes(goal))
    .map(([, , seconds]) => seconds);
  if (anywhere.length > 0) return Math.max(...anywhere);
  for (const [name, following, seconds] of table) {
    if (name === program && following.every((word, index) => plain[index] === word)) return seconds;
  }
  const asks = rest.some((word) => ['--version', '-v', '--help', '-h'].includes(word));
  return program === 'yarn' && plain.length === 0 && !asks ? 30 : null;
}

interface ReadWords {
  readonly program: string;
  readonly rest: SimpleCommand;
  /** `rest` without options and their values, in lower case. */
  readonly plain: readonly string[];
}

/** Patterns and commands are read alike: what is one program under two names is so in both. */
function readWords(words: SimpleCommand): ReadWords {
  const [program, rest] = canonical(programName(words[0] ?? ''), words.slice(1));
  return { program, rest, plain: plainWords(program, rest) };
}

function matches(pattern: ReadWords, program: string, plain: readonly string[]): boolean {
  if (pattern.program === '' || pattern.program !== program) return false;
  if (goals.some(([name]) => name === program)) return pattern.plain.every((word) => plain.includes(word));
  return pattern.plain.every((word, index) => plain[index] === word);
}

/** Drops assignments and the programs that only start another one. */
function unwrap(command: SimpleCommand): SimpleCommand {
  let words = command;
  for (;;) {
    const first = words[0];
    if (first === undefined) return words;
    if (assignment.test(first)) {
      words = words.slice(1);
      continue;
    }
    const withValue = wrappers[programName(first)];
    if (withValue === undefined) return words;
    let at = 1;
    for (let word = words[at]; word?.startsWith('-'); word = words[at]) at += withValue.includes(word) ? 2 : 1;
    words = words.slice(at);
  }
}

function programName(word: string): string {
  const base = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase();
  return base.replace(/\.(exe|cmd|bat)$/, '');
}

/** `sh -c TEXT`, `bash -lc TEXT`: the text. */
function shellText(program: string, words: SimpleCommand): string | undefined {
  if (!/^(?:sh|bash|dash|zsh|ksh)$/.test(programName(program))) return undefined;
  for (let at = 1; /^[-+]/.test(words[at] ?? ''); at += 1) {
    const option = words[at] ?? '';
    if (/^-[a-z]*c[a-z]*$/.test(option)) return words[at + 1];
    if (/^[-+]o$|^--(?:rcfile|init-file)$/.test(option)) at += 1;
  }
  return undefined; // a script: what stands behind it is its own
}

const pythonValues = new Set(['-W', '-X', '--check-hash-based-pycs']);

function canonical(program: string, rest: SimpleCommand): readonly [string, SimpleCommand] {
  if (/^(?:python|py)[\d.]*$/.test(program)) {
    // Behind the script, or the text of -c, an option is the script's.
    let at = 0;
    while (/^-(?!m|c|-$)/.test(rest[at] ?? '')) at += pythonValues.has(rest[at] ?? '') ? 2 : 1;
    const joined = /^-m(.*)$/.exec(rest[at] ?? '')?.[1];
    const module = joined || (joined === '' ? rest[at + 1] : undefined);
    return module === undefined ? [program, rest] : [module.toLowerCase(), rest.slice(joined === '' ? at + 2 : at + 1)];
  }
  if (/^pip[\d.]+$/.test(program)) return ['pip', rest];
  if (program === 'mvnw') return ['mvn', rest];
  if (program === 'gradlew') return ['gradle', rest];
  if (program === 'gmake') return ['make', rest];
  return [program, rest];
}

function plainWords(program: string, rest: SimpleCommand): readonly string[] {
  const withValue = valueOptions[program] ?? [];
  const plain: string[] = [];
  for (let i = 0; i < rest.length; i += 1) {
    const word = rest[i] ?? '';
    if (withValue.includes(word)) i += 1;
    else if (!word.startsWith('-') && !word.startsWith('+')) plain.push(word.toLowerCase());
  }
  return plain;
}
