import { names, type Options } from './options.ts';
import { type Program, programName } from './program.ts';
import { gathered } from './sweeps.ts';

const scripts: readonly (readonly [RegExp, number])[] = [
  [/^(?:npm|pnpm|yarn|bun) run(?:-script)? [\w:.-]+/, 3],
  [/^(?:npm|pnpm|yarn) (?:test|t|start|ls|outdated|audit)(?: |$)/, 2],
  [/^bun test(?: |$)/, 2],
];

/**
 * Options of the managers themselves that only say how it is run, and told (npm 11, pnpm 10, yarn 4, bun 1). Not those that say
 * in which folders (`-w`, `--workspaces`, `-r`, `-C`, `--prefix`): the scripts of other packages run there.
 */
const open: Options = {
  short: 'sd',
  long: names(
    'silent quiet verbose if-present ignore-scripts parallel stream aggregate-output no-bail bail json long depth= all omit= ' +
      'color no-color watch',
  ),
};

/** They pack or send the package, whatever stands in it. */
const packs = gathered(/^(?:-\S+ )*(?:pack|publish)\b/);

const manager = {
  sweeps: packs,
  words: 'messages',
  script: scriptOf,
  prefixes: scripts,
  open,
  behindDashes: 'guessed',
} as const;

/** Package managers of JavaScript, and what starts the programs of packages (npm 11). */
export const npm: readonly Program[] = [
  {
    ...manager,
    names: 'npm',
    wraps: { verbs: 'exec x', valued: '--package -w --workspace', script: '-c --call' },
    flags: { '': ['g global | f force | w workspace | s silent | D save-dev | y yes', 'w'] },
    seconds: { install: 30, i: 30, ci: 30, test: 30, t: 30, 'run test': 30 },
    valued: '--prefix -C -w --workspace --registry --cache --userconfig --loglevel',
  },
  {
    ...manager,
    names: 'pnpm',
    wraps: { verbs: 'exec dlx', valued: '-C --dir --filter -F' },
    seconds: { install: 30, i: 30 },
    valued: '-C --dir -F --filter',
  },
  {
    ...manager,
    names: 'yarn',
    wraps: { verbs: 'exec dlx', valued: '-p --package --cwd' },
    seconds: { install: 30, test: 30, '': 30 },
    valued: '--cwd',
  },
  {
    names: 'bun',
    script: scriptOf,
    prefixes: scripts,
    open,
    behindDashes: 'guessed',
    interprets: 'code',
    inline: /^(?:-[pe]|-pe|--eval|--print)$/,
    wraps: { verbs: 'x' },
    seconds: { install: 30 },
  },
  {
    names: 'npx',
    wraps: { valued: '-p --package -w --workspace', script: '-c --call' },
  },
  { names: 'bunx', wraps: {} },
];

/** Verbs that run the script of their own name. */
const ownScripts = /^(?:test|start|stop|restart)$/;
const short: Readonly<Record<string, string>> = { t: 'test', tst: 'test' };

/** The script of the package that the words run. */
function scriptOf(argv: readonly string[]): string | undefined {
  const name = programName(argv[0] ?? '');
  const words = argv.slice(1).filter((word) => !word.startsWith('-'));
  const verb = words[0] ?? '';
  if (/^(?:run|run-script|rum|urn)$/.test(verb)) return words[1];
  const full = short[verb] ?? verb;
  if (name === 'bun' && full === 'test') return undefined; // its own runner
  if (ownScripts.test(full)) return full;
  // yarn, pnpm and bun look among the scripts for a verb that is none of theirs.
  return name === 'npm' || verb === '' ? undefined : verb;
}
