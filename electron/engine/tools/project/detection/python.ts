import { commandsOf, type Detector, present } from './detection.ts';

/** A table header of TOML, with what lies below it: `[tool.ruff]`, `[tool.ruff.lint]`. */
const hasTable = (text: string, name: string): boolean =>
  new RegExp(`^\\s*\\[+\\s*${name.replaceAll('.', '\\s*\\.\\s*')}\\s*(?:\\.|\\])`, 'm').test(text);

/** Poetry and uv are recognised by their own tables, build back end or lock file, never by a word somewhere. */
export const detectPython: Detector = async (facts) => {
  const configFiles = present(
    facts,
    'pyproject.toml',
    'requirements.txt',
    'setup.py',
    'setup.cfg',
    'Pipfile',
    'poetry.lock',
    'uv.lock',
    'tox.ini',
    'pytest.ini',
  );
  const isModern = facts.names.has('pyproject.toml');
  const older = ['requirements.txt', 'setup.py', 'setup.cfg', 'Pipfile', 'tox.ini', 'pytest.ini'];
  if (!isModern && !older.some((name) => facts.names.has(name))) return undefined;
  const project = await facts.read('pyproject.toml');
  const setup = await facts.read('setup.cfg');
  const poetry =
    hasTable(project, 'tool.poetry') ||
    /^\s*build-backend\s*=\s*["']poetry\.(?:core\.)?masonry/m.test(project) ||
    facts.names.has('poetry.lock');
  const uv = !poetry && facts.names.has('uv.lock');
  const pdm = !poetry && !uv && (facts.names.has('pdm.lock') || hasTable(project, 'tool.pdm'));
  const pipenv = !poetry && !uv && !pdm && facts.names.has('Pipfile');
  const manager = poetry ? 'poetry' : uv ? 'uv' : pdm ? 'pdm' : pipenv ? 'pipenv' : 'pip';
  const prefix = manager === 'pip' ? '' : `${manager} run `;
  const ruff = hasTable(project, 'tool.ruff') || facts.names.has('ruff.toml') || facts.names.has('.ruff.toml');
  const black = hasTable(project, 'tool.black');
  const flake8 = facts.names.has('.flake8') || /^\[flake8\]/m.test(setup);
  const pytest =
    hasTable(project, 'tool.pytest') ||
    ['pytest.ini', 'conftest.py'].some((name) => facts.names.has(name)) ||
    /^\[tool:pytest\]/m.test(setup);
  const tox = !pytest && facts.names.has('tox.ini');
  return {
    type: 'python',
    confidence: isModern ? 0.9 : 0.7,
    packageManager: manager,
    commands: commandsOf({
      test: prefix + (tox ? 'tox' : 'pytest'),
      format: black ? `${prefix}black .` : ruff ? `${prefix}ruff format .` : undefined,
      lint: ruff ? `${prefix}ruff check .` : flake8 ? `${prefix}flake8` : undefined,
      build: poetry || uv || pdm ? `${manager} build` : undefined,
    }),
    configFiles,
  };
};
