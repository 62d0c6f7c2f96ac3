import { describe, expect, test } from 'vitest';
import { fail, ok } from '../../../../../shared/result.ts';
import { createLook } from '../../../workspace/look.ts';
import { createSandbox } from '../../../workspace/sandbox.ts';
import { testFolder } from '../../../workspace/testing/testFolder.ts';
import type { TaskPort } from '../../shell/taskPort.ts';
import { detectProjectIn } from './detectProjectIn.ts';

const unused = (): never => {
  throw new Error('detection only asks for programs');
};

/** A machine that has these programs. */
const machine = (programs: readonly string[]): TaskPort => ({
  plan: ({ command, args = [] }) =>
    Promise.resolve(
      programs.includes(command)
        ? ok({ mode: 'direct', argv: [command, ...args] } as never) // the answer is only looked at for its success
        : fail('COMMAND_NOT_FOUND', command),
    ),
  list: unused,
  get: unused,
  wait: unused,
  result: unused,
  output: unused,
  cancel: unused,
  maxOutputChars: unused,
});

async function detect(files: Readonly<Record<string, string>>, programs: readonly string[] = []) {
  const sandbox = await createSandbox({ roots: [testFolder(files)] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const detected = await detectProjectIn('.', createLook(sandbox.value), machine(programs));
  if (!detected.ok) throw new Error(detected.error.message);
  return detected.value;
}

const manifest = (scripts: Readonly<Record<string, string>>, more = {}) => JSON.stringify({ scripts, ...more });

test('a node project has the commands of its scripts, by the package manager of its lock file', async () => {
  const scripts = { test: 'vitest', lint: 'oxlint', fmt: 'biome', build: 'vite build' };
  expect(await detect({ 'package.json': manifest(scripts), 'tsconfig.json': '', 'pnpm-lock.yaml': '' })).toEqual({
    type: 'node',
    types: ['node'],
    confidence: 0.9,
    packageManager: 'pnpm',
    commands: { test: 'pnpm test', format: 'pnpm run fmt', lint: 'pnpm run lint', build: 'pnpm run build' },
    hasConfigFiles: ['package.json', 'tsconfig.json', 'pnpm-lock.yaml'],
  });
});

test('the placeholder of npm init is no test, and a broken package.json is still a node project', async () => {
  const scripts = { test: 'echo "Error: no test specified" && exit 1' };
  expect(await detect({ 'package.json': manifest(scripts) })).toMatchObject({ confidence: 0.8, commands: {} });
  expect(await detect({ 'package.json': '{' })).toMatchObject({ type: 'node', packageManager: 'npm', commands: {} });
});

test.each([
  ['yarn.lock', 'yarn test'],
  ['bun.lock', 'bun run test'],
  ['package-lock.json', 'npm test'],
])('%s means %s', async (lock, command) =>
  expect(await detect({ 'package.json': manifest({ test: 'x' }), [lock]: '' })).toMatchObject({
    commands: { test: command },
  }),
);

test('the packageManager field counts where there is no lock file', async () =>
  expect(await detect({ 'package.json': manifest({ test: 'x' }, { packageManager: 'pnpm@9.1.0' }) })).toMatchObject({
    packageManager: 'pnpm',
  }));

test('of several the surest wins, and at a tie the order of the reference', async () => {
  expect(await detect({ 'package.json': '{}', 'go.mod': '', 'Cargo.toml': '', 'requirements.txt': '' })).toMatchObject({
    type: 'rust',
    types: ['rust', 'go', 'node', 'python'],
  });
  expect(await detect({ 'package.json': '{}', 'tsconfig.json': '', 'pyproject.toml': '' })).toMatchObject({
    type: 'node',
  });
});

test('golangci-lint is offered where it is installed', async () => {
  expect((await detect({ 'go.mod': '' })).commands).toEqual({
    test: 'go test ./...',
    format: 'gofmt -w .',
    build: 'go build ./...',
  });
  expect((await detect({ 'go.mod': '' }, ['golangci-lint'])).commands.lint).toBe('golangci-lint run');
});

test('poetry counts when it is declared, not when it is mentioned', async () => {
  expect(await detect({ 'pyproject.toml': '# not poetry\n[tool.black]\nx = 1\n[tool.ruff.lint]\n' })).toMatchObject({
    confidence: 0.9,
    packageManager: 'pip',
    commands: { test: 'pytest', format: 'black .', lint: 'ruff check .' },
  });
  expect(await detect({ 'pyproject.toml': '[tool.poetry]\n[tool.ruff]\n' })).toMatchObject({
    packageManager: 'poetry',
    commands: { test: 'poetry run pytest', format: 'poetry run ruff format .', build: 'poetry build' },
  });
  expect(await detect({ 'setup.py': '', 'tox.ini': '' })).toMatchObject({ confidence: 0.7, commands: { test: 'tox' } });
  expect(await detect({ 'pyproject.toml': '[tool.pytest.ini_options]', 'tox.ini': '' })).toMatchObject({
    commands: { test: 'pytest' },
  });
});

test.each([
  ['Maven', { 'pom.xml': '<project/>', mvnw: '' }, 'java', ['java'], { test: './mvnw test', build: './mvnw package' }],
  [
    'Gradle',
    { 'build.gradle.kts': 'id("com.diffplug.spotless")' },
    'java',
    ['java'],
    { test: 'gradle test', format: 'gradle spotlessApply', lint: 'gradle spotlessCheck', build: 'gradle build' },
  ],
  [
    'Make',
    { Makefile: 'CC := gcc\ntest: all\n\tx\nall:\n\tx\n' },
    'unknown',
    ['make'],
    { test: 'make test', build: 'make all' },
  ],
  [
    'CMake',
    { 'CMakeLists.txt': 'project(x)\nenable_testing()\n' },
    'unknown',
    ['cmake'],
    {
      test: 'ctest --test-dir build --output-on-failure',
      build: 'cmake -S . -B build && cmake --build build',
    },
  ],
  [
    '.NET',
    { 'x.csproj': '' },
    'unknown',
    ['dotnet'],
    {
      test: 'dotnet test',
      format: 'dotnet format',
      lint: 'dotnet format --verify-no-changes',
      build: 'dotnet build',
    },
  ],
  [
    'Ruby',
    { Gemfile: '', '.rspec': '', '.rubocop.yml': '' },
    'unknown',
    ['ruby'],
    { test: 'bundle exec rspec', format: 'bundle exec rubocop -a', lint: 'bundle exec rubocop' },
  ],
  [
    'PHP',
    { 'composer.json': '{"scripts": {"lint": "phpcs"}}', 'phpunit.xml': '' },
    'unknown',
    ['php'],
    { test: 'vendor/bin/phpunit', lint: 'composer run-script lint' },
  ],
] as const)('%s', async (_, files, type, types, commands) =>
  expect(await detect(files)).toMatchObject({ type, types, commands }),
);

test('an empty folder is unknown', async () =>
  expect(await detect({})).toEqual({ type: 'unknown', types: [], confidence: 0, commands: {}, hasConfigFiles: [] }));

describe('of several package managers', () => {
  const scripts = manifest({ test: 'x' }, { packageManager: 'npm@10.0.0' });

  test('the lock file decides, and among several the manifest', async () => {
    expect(await detect({ 'package.json': scripts, 'pnpm-lock.yaml': '' })).toMatchObject({ packageManager: 'pnpm' });
    const both = { 'package.json': scripts, 'yarn.lock': '', 'package-lock.json': '' };
    expect(await detect(both)).toMatchObject({ packageManager: 'npm' });
  });

  test('the one of devEngines counts where nothing else names one', async () => {
    const engines = manifest({ test: 'x' }, { devEngines: { packageManager: { name: 'pnpm' } } });
    expect(await detect({ 'package.json': engines })).toMatchObject({ packageManager: 'pnpm' });
  });

  test.each([
    ['pdm.lock', 'pdm'],
    ['uv.lock', 'uv'],
    ['Pipfile', 'pipenv'],
  ])('%s runs Python by %s', async (lock, manager) =>
    expect(await detect({ 'pyproject.toml': '[project]', [lock]: '' })).toMatchObject({
      packageManager: manager,
      commands: { test: `${manager} run pytest` },
    }),
  );
});

test.each([
  [
    'a workspace of Go',
    { 'go.work': 'go 1.22\nuse (\n\t./a // first\n\t./b/\n)\nuse ./c\nuse ./d;x\n' },
    { test: 'go test ./a/... ./b/... ./c/...' },
  ],
  ['Gradle with its settings alone', { 'settings.gradle.kts': '', gradlew: '' }, { test: './gradlew test' }],
  [
    'Make with several targets in a rule',
    { Makefile: 'lint fmt:\n\tx\ntest::\n\tx\nA := b\n' },
    { test: 'make test', lint: 'make lint', format: 'make fmt', build: 'make' },
  ],
  ['pytest alone', { 'pytest.ini': '' }, { test: 'pytest' }],
  ['Rake’s own tests', { Gemfile: '', Rakefile: 'Rake::TestTask.new\n' }, { test: 'bundle exec rake test' }],
  ['Rails', { Gemfile: 'gem "rails"', 'bin/rails': '', Rakefile: '' }, { test: 'bin/rails test' }],
  [
    'PHP by what it needs',
    { 'composer.json': '{"require-dev":{"phpunit/phpunit":"*","phpstan/phpstan":"*"}}' },
    { test: 'vendor/bin/phpunit', lint: 'vendor/bin/phpstan analyse' },
  ],
  [
    'PHP with scripts of several steps',
    { 'composer.json': '{"scripts":{"x":{"y":1},"test":["a"],"lint":"b"}}' },
    { test: 'composer run-script test', lint: 'composer run-script lint' },
  ],
] as const)('%s', async (_, files, commands) =>
  expect((await detect(files)).commands).toEqual(expect.objectContaining(commands)),
);

test('a folder that is no project names those below it, without their parts and what is ignored', async () =>
  expect(
    await detect({
      'web/package.json': '{}',
      'web/packages/a/package.json': '{}',
      'services/api/go.mod': '',
      'node_modules/x/package.json': '{}',
      'a/b/c/Cargo.toml': '',
    }),
  ).toMatchObject({
    type: 'unknown',
    projects: [
      { path: 'services/api', type: 'go' },
      { path: 'web', type: 'node' },
    ],
  }));

test('a name that a shell would read is no part of a command', async () => {
  const gem = { Gemfile: '', 'x;touch y.gemspec': '' };
  expect((await detect(gem)).commands).not.toHaveProperty('build');
  expect((await detect({ Gemfile: '', 'x.gemspec': '' })).commands).toMatchObject({ build: 'gem build x.gemspec' });
});
