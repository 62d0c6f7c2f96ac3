import type { Program } from './program.ts';

const valued = new Set(['-W', '-X', '--check-hash-based-pycs']);

/** `python -m pip` is pip. Behind the script, or the text of -c, an option is the script's. */
function standsFor(rest: readonly string[]): readonly [string, readonly string[]] | undefined {
  let at = 0;
  while (/^-(?!m|c|-$)/.test(rest[at] ?? '')) at += valued.has(rest[at] ?? '') ? 2 : 1;
  const joined = /^-m(.*)$/.exec(rest[at] ?? '')?.[1];
  const module = joined || (joined === '' ? rest[at + 1] : undefined);
  return module === undefined ? undefined : [module.toLowerCase(), rest.slice(joined === '' ? at + 2 : at + 1)];
}

const inline = /^-[A-Za-z]*c$/;

export const python: readonly Program[] = [
  {
    names: 'python python2 python3 py',
    versions: '--version | -V',
    interprets: 'code',
    inline,
    standsFor,
    prefixes: [[/^python3? -m (?:pytest|unittest|mypy|ruff|black|flake8)(?: |$)/, 3]],
  },
  { names: 'pypy pypy2 pypy3', interprets: 'code', inline },
  {
    names: 'pip pip2 pip3',
    words: 'messages',
    versions: '--version | -V',
    seconds: { install: 20 },
    valued: '--proxy --log --cache-dir --timeout --retries',
  },
  {
    names: 'poetry',
    wraps: { verbs: 'run' },
    seconds: { install: 25 },
    valued: '-C --directory -P --project',
    prefixes: [[/^poetry run (?:pytest|mypy|ruff|black|flake8)(?: |$)/, 3]],
  },
  { names: 'pipenv', wraps: { verbs: 'run' }, prefixes: [[/^pipenv run (?:pytest|mypy|ruff|black|flake8)(?: |$)/, 3]] },
  { names: 'pipx', wraps: { verbs: 'run', valued: '--spec --python' } },
  {
    names: 'uv',
    versions: '--version | -V',
    wraps: { verbs: 'run', valued: '--with --from -p --python --project --directory --extra' },
    prefixes: [[/^uv run (?:pytest|mypy|ruff|black|flake8)(?: |$)/, 3]],
  },
  { names: 'uvx', wraps: { valued: '--from --with -p --python' } },
  { names: 'pytest', seconds: 30, prefixes: [[/^pytest(?: |$)/, 1]] },
  ...['mypy', 'ruff', 'flake8'].map((names): Program => ({ names, prefixes: [[/^\S+(?: |$)/, 1]] })),
];
