import { names } from './options.ts';
import type { Program } from './program.ts';
import { gathered, type Sweeps } from './sweeps.ts';

const valued = new Set(['-W', '-X', '--check-hash-based-pycs']);

/** `python -m pip` is pip. Behind the script, or the text of -c, an option is the script's. */
function standsFor(rest: readonly string[]): readonly [string, readonly string[]] | undefined {
  let at = 0;
  while (/^-(?!m|c|-$)/.test(rest[at] ?? '')) at += valued.has(rest[at] ?? '') ? 2 : 1;
  const joined = /^-m(.*)$/.exec(rest[at] ?? '')?.[1];
  const module = joined || (joined === '' ? rest[at + 1] : undefined);
  return module === undefined ? undefined : [module.toLowerCase(), rest.slice(joined === '' ? at + 2 : at + 1)];
}

/** Modules that serve or pack a folder. */
const gathering: Readonly<Record<string, Sweeps>> = {
  'http.server': gathered(undefined, '-d --directory'),
  simplehttpserver: gathered(),
  zipfile: gathered(/(?:^| )(?:-c|--create)\b/),
  tarfile: gathered(/(?:^| )(?:-c|--create)\b/),
  build: gathered(),
};

function sweeps(argv: readonly string[]): readonly string[] {
  const [module = '', rest = []] = standsFor(argv.slice(1)) ?? [];
  return Object.hasOwn(gathering, module) ? (gathering[module]?.([module, ...rest]) ?? []) : [];
}

const inline = /^-[A-Za-z]*c$/;

export const python: readonly Program[] = [
  {
    names: 'python python2 python3 py',
    interprets: 'code',
    inline,
    standsFor,
    sweeps,
  },
  { names: 'pypy pypy2 pypy3', interprets: 'code', inline },
  {
    names: 'pip pip2 pip3',
    words: 'messages',
    seconds: { install: 20 },
    valued: '--proxy --log --cache-dir --timeout --retries',
  },
  {
    names: 'poetry',
    wraps: { verbs: 'run' },
    seconds: { install: 25 },
    valued: '-C --directory -P --project',
  },
  { names: 'pipenv', wraps: { verbs: 'run' } },
  { names: 'pipx', wraps: { verbs: 'run', valued: '--spec --python' } },
  {
    names: 'uv',
    wraps: { verbs: 'run', valued: '--with --from -p --python --project --directory --extra' },
  },
  { names: 'uvx', wraps: { valued: '--from --with -p --python' } },
  {
    names: 'pytest',
    seconds: 30,
    // Not `-c`, `-o`, `-p`, `--basetemp`, `--rootdir`, `--confcutdir`, nor what writes a report.
    open: {
      short: 'vqxslk:m:r:n:',
      long: names(
        'verbose quiet exitfirst maxfail= last-failed lf failed-first ff new-first nf stepwise sw tb= durations= collect-only ' +
          'co no-header no-summary showlocals strict-markers color=',
      ),
    },
    prefixes: [[/^pytest(?: |$)/, 1]],
  },
];
