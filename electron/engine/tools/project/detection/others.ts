import { isRecord } from '../../../base/jsonFile.ts';
import { commandsOf, type Detector, present } from './detection.ts';

/** The targets of a makefile are its commands. */
export const detectMake: Detector = async (facts) => {
  const files = present(facts, 'GNUmakefile', 'makefile', 'Makefile');
  const [file] = files;
  if (file === undefined) return undefined;
  const text = await facts.read(file);
  const rules = text.matchAll(/^([\w.-]+(?:[ \t]+[\w.-]+)*)[ \t]*::?(?!=)/gm);
  const targets = new Set([...rules].flatMap(([, names = '']) => names.split(/[ \t]+/)));
  const target = (...names: readonly string[]): string | undefined => {
    const name = names.find((one) => targets.has(one));
    return name === undefined ? undefined : `make ${name}`;
  };
  return {
    type: 'make',
    confidence: 0.6,
    packageManager: 'make',
    commands: commandsOf({
      test: target('test', 'check'),
      format: target('format', 'fmt'),
      lint: target('lint'),
      build: target('build', 'all') ?? (targets.size > 0 ? 'make' : undefined),
    }),
    configFiles: files,
  };
};

export const detectCmake: Detector = async (facts) => {
  if (!facts.names.has('CMakeLists.txt')) return undefined;
  const tests = /^\s*(?:enable_testing|include\s*\(\s*CTest)\b/im.test(await facts.read('CMakeLists.txt'));
  return {
    type: 'cmake',
    confidence: 0.7,
    packageManager: 'cmake',
    commands: commandsOf({
      test: tests ? 'ctest --test-dir build --output-on-failure' : undefined,
      format: undefined,
      lint: undefined,
      build: 'cmake -S . -B build && cmake --build build',
    }),
    configFiles: present(facts, 'CMakeLists.txt', 'CMakePresets.json'),
  };
};

export const detectDotnet: Detector = async (facts) => {
  const configFiles = [...facts.names].filter((name) => /\.(?:slnx?|csproj|fsproj|vbproj)$/i.test(name)).toSorted();
  if (configFiles.length === 0) return undefined;
  return {
    type: 'dotnet',
    confidence: 0.9,
    packageManager: 'dotnet',
    commands: {
      test: 'dotnet test',
      format: 'dotnet format',
      lint: 'dotnet format --verify-no-changes',
      build: 'dotnet build',
    },
    configFiles,
  };
};

export const detectRuby: Detector = async (facts) => {
  // The name becomes part of a command.
  const specs = [...facts.names].filter((name) => /^[\w.-]+\.gemspec$/.test(name));
  const configFiles = [...present(facts, 'Gemfile', 'Gemfile.lock', 'Rakefile', '.rspec', '.rubocop.yml'), ...specs];
  if (!['Gemfile', 'Rakefile'].some((name) => facts.names.has(name)) && specs.length === 0) return undefined;
  const prefix = facts.names.has('Gemfile') ? 'bundle exec ' : '';
  const rubocop = facts.names.has('.rubocop.yml');
  const rspec = facts.names.has('.rspec') || facts.names.has('spec');
  const rake = facts.names.has('Rakefile') ? await facts.read('Rakefile') : '';
  const rails = /^\s*gem\s+['"]rails['"]/m.test(await facts.read('Gemfile')) && facts.names.has('bin');
  const rakeTest = /TestTask|\btask\W+test\b|:test\b/.test(rake) ? `${prefix}rake test` : undefined;
  return {
    type: 'ruby',
    confidence: 0.9,
    packageManager: 'bundler',
    commands: commandsOf({
      test: rspec ? `${prefix}rspec` : rails ? 'bin/rails test' : rakeTest,
      format: rubocop ? `${prefix}rubocop -a` : undefined,
      lint: rubocop ? `${prefix}rubocop` : undefined,
      build: specs[0] === undefined ? undefined : `gem build ${specs[0]}`,
    }),
    configFiles,
  };
};

export const detectPhp: Detector = async (facts) => {
  if (!facts.names.has('composer.json')) return undefined;
  const { scripts, ['require-dev']: needs } = readComposer(await facts.read('composer.json'));
  const script = (...names: readonly string[]): string | undefined => {
    const name = names.find((one) => Object.hasOwn(scripts, one));
    return name === undefined ? undefined : `composer run-script ${name}`;
  };
  const tool = (name: string, command: string): string | undefined =>
    Object.hasOwn(needs, name) ? command : undefined;
  const unit = facts.names.has('phpunit.xml') || facts.names.has('phpunit.xml.dist');
  const test = unit ? 'vendor/bin/phpunit' : tool('phpunit/phpunit', 'vendor/bin/phpunit');
  return {
    type: 'php',
    confidence: 0.9,
    packageManager: 'composer',
    commands: commandsOf({
      test: script('test', 'tests') ?? tool('pestphp/pest', 'vendor/bin/pest') ?? test,
      format: script('format', 'fix', 'cs-fix'),
      lint: script('lint', 'cs', 'phpstan') ?? tool('phpstan/phpstan', 'vendor/bin/phpstan analyse'),
      build: script('build'),
    }),
    configFiles: present(facts, 'composer.json', 'composer.lock', 'phpunit.xml', 'phpunit.xml.dist', 'phpstan.neon'),
  };
};

type Entries = Readonly<Record<string, unknown>>;

function readComposer(text: string): { readonly scripts: Entries; readonly 'require-dev': Entries } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined; // it is a PHP project all the same
  }
  const part = (name: string): Entries => (isRecord(parsed) && isRecord(parsed[name]) ? parsed[name] : {});
  return { scripts: part('scripts'), 'require-dev': part('require-dev') };
}
