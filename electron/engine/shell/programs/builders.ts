import type { Command } from '../parse/line.ts';
import { names, type Options } from './options.ts';
import type { Program, Runs } from './program.ts';
import { gathered } from './sweeps.ts';

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
  // Not `-f`, `-C`, `-I` and `--eval`: they say what it obeys.
  open: {
    short: 'BinkqrRsStwj:l:O:',
    long: names(
      'always-make ignore-errors just-print dry-run recon keep-going question no-builtin-rules no-builtin-variables silent quiet ' +
        'touch print-directory no-print-directory jobs= load-average= output-sync= trace warn-undefined-variables version help',
    ),
  },
  interprets: 'commands',
  versions: '--version',
  runs: makeRuns,
  seconds: 30,
};

/** Cargo 1.9x: not `--config`, `--target-dir`, `--manifest-path`, `-Z`, nor `--target`, which may be a file. */
const cargoOpen: Options = {
  short: 'rvqp:F:j:',
  long: names(
    'release verbose quiet package= exclude= workspace all lib bins bin= examples example= tests test= benches bench= ' +
      'all-targets features= all-features no-default-features jobs= keep-going locked offline frozen message-format= color= ' +
      'no-run no-fail-fast doc profile= check depth= edges= invert= duplicates prefix= no-deps',
  ),
};

/** Go 1.2x takes one dash or two: not `-o`, `-exec`, `-toolexec`, `-vettool`, `-overlay`, `-modfile`, `-C`, profiles. */
const goOpen: Options = {
  long: names(
    'v n x race msan asan cover short json failfast benchmem a count= run= skip= bench= timeout= parallel= p= cpu= shuffle= list= u m',
  ),
  singleDash: true,
};

export const cargo: Program = {
  names: 'cargo',
  words: 'messages',
  sweeps: gathered(/^(?:-\S+ )*(?:package|publish)\b/),
  seconds: { build: 60, install: 45, test: 30 },
  valued: '--config -Z -C --color --manifest-path --target-dir',
  open: cargoOpen,
  // Options of the test runner; those of clippy are options of the compiler, which name linkers.
  behindDashes: {
    long: names('nocapture no-capture test-threads= ignored include-ignored exact skip= show-output list'),
  },
  prefixes: [[/^cargo (?:build|check|test|clippy|fmt|doc|bench|tree)(?: |$)/, 2]],
};

export const go: Program = {
  names: 'go',
  words: 'messages',
  seconds: { build: 30, test: 20 },
  valued: '-C',
  open: goOpen,
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
  },
  {
    names: 'gradle gradlew',
    seconds: { build: 45 },
    goals: true,
  },
  { names: 'rustup', wraps: { verbs: 'run', skip: 1 } },
  ...['gcc', 'g++', 'clang'].map((names): Program => ({ names, versions: '--version' })),
  { names: 'bundle', wraps: { verbs: 'exec' } },
  { names: 'nodemon', takes: [{ long: 'exec', short: 'x' }] },
  ...['apt', 'apt-get', 'brew', 'dnf', 'apk'].map((names): Program => ({ names, words: 'messages' })),
];
