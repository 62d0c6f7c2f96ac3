import type { Command } from '../parse/line.ts';
import type { Program, Runs } from './program.ts';

/** `SHELL=…` runs every line of a makefile; other variables may be what a line runs. */
function makeRuns({ argv }: Command): Runs | undefined {
  const commands = argv.flatMap((word, at) => {
    const script = at === 0 ? undefined : /^(?:--eval=|[\w.]+\s*[:?+]*=)(.+)$/s.exec(word)?.[1];
    return script === undefined || !/\s|^(?:\/|\.)|[;&|]/.test(script) ? [] : [{ script, at }];
  });
  const scripts = commands.map(({ script }) => script);
  const shell = argv.findIndex((word) => /^\.?SHELL(?:FLAGS)?\s*[:?+]*=/.test(word));
  const isSent = argv.some(
    (word, at) =>
      /^(?:-f-|-f\/dev\/stdin|--(?:make)?file=(?:-|\/dev\/stdin))$/.test(word) ||
      (/^(?:-f|--file|--makefile)$/.test(word) && /^(?:-|\/dev\/stdin)$/.test(argv[at + 1] ?? '')),
  );
  if (isSent || shell > 0) {
    const opaque = isSent
      ? 'make runs what it is sent'
      : 'the program that runs the lines of make is given on the line';
    return { scripts, reach: argv.length, apart: true, opaque };
  }
  return scripts.length === 0
    ? undefined
    : { scripts, reach: Math.max(...commands.map(({ at }) => at)) + 1, apart: true };
}

export const make: Program = {
  names: 'make gmake',
  interprets: 'commands',
  versions: '--version',
  runs: makeRuns,
  seconds: 30,
};

export const cargo: Program = {
  names: 'cargo',
  words: 'messages',
  versions: '--version | -V',
  seconds: { build: 60, install: 45, test: 30 },
  valued: '--config -Z -C --color --manifest-path --target-dir',
  prefixes: [[/^cargo (?:build|check|test|clippy|fmt|doc|bench|tree)(?: |$)/, 2]],
};

export const go: Program = {
  names: 'go',
  words: 'messages',
  seconds: { build: 30, test: 20 },
  valued: '-C',
  prefixes: [[/^go (?:build|test|vet|fmt|list|doc)(?: |$)/, 2]],
};

/** Compilers, build tools and checkers of which one or two things are known. */
export const builders: readonly Program[] = [
  { names: 'ninja', seconds: 30 },
  { names: 'cmake', seconds: 20, versions: '--version' },
  { names: 'just', interprets: 'commands', versions: '--version | -V' },
  {
    names: 'mvn mvnw',
    seconds: { install: 60, test: 45 },
    goals: true,
    prefixes: [[/^(?:mvn|\.\/mvnw) (?:test|build|compile|check|verify)(?: |$)/, 2]],
  },
  {
    names: 'gradle gradlew',
    seconds: { build: 45 },
    goals: true,
    prefixes: [[/^(?:gradle|\.\/gradlew) (?:test|build|compile|check|verify)(?: |$)/, 2]],
  },
  { names: 'dotnet', versions: '--version', prefixes: [[/^dotnet (?:build|test|format)(?: |$)/, 2]] },
  { names: 'rustc', versions: '--version | -V | -vV | --version --verbose' },
  { names: 'rustup', versions: '--version | -V', wraps: { verbs: 'run', skip: 1 } },
  { names: 'java', versions: '-version | --version' },
  { names: 'javac', versions: '-version | --version' },
  ...['gcc', 'g++', 'clang'].map((names): Program => ({ names, versions: '--version' })),
  { names: 'bundle', wraps: { verbs: 'exec' }, prefixes: [[/^bundle exec (?:rspec|rubocop|rake)(?: |$)/, 3]] },
  { names: 'nodemon', takes: [{ long: 'exec', short: 'x' }] },
  { names: 'tsc', versions: '--version | -v', prefixes: [[/^tsc(?: |$)/, 1]] },
  ...['vitest', 'jest', 'eslint', 'prettier', 'biome', 'oxlint', 'rspec', 'rubocop', 'phpunit', 'ctest'].map(
    (names): Program => ({ names, prefixes: [[/^\S+(?: |$)/, 1]] }),
  ),
  ...['apt', 'apt-get', 'brew', 'dnf', 'apk'].map((names): Program => ({ names, words: 'messages' })),
];
