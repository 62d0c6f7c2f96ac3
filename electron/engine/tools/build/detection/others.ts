import { commandsOf, type Detector, present } from './detection.ts';

/** The targets of a makefile are its commands. */
export const detectMake: Detector = async (facts) => {
  const files = present(facts, 'GNUmakefile', 'makefile', 'Makefile');
  const [file] = files;
  if (file === undefined) return undefined;
  const text = await facts.read(file);
  const targets = new Set([...text.matchAll(/^([\w.-]+)[ \t]*:(?![:=])/gm)].map(([, name]) => name));
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
  const specs = [...facts.names].filter((name) => name.endsWith('.gemspec'));
  const configFiles = [...present(facts, 'Gemfile', 'Gemfile.lock', 'Rakefile', '.rspec', '.rubocop.yml'), ...specs];
  if (!['Gemfile', 'Rakefile'].some((name) => facts.names.has(name)) && specs.length === 0) return undefined;
  const prefix = facts.names.has('Gemfile') ? 'bundle exec ' : '';
  const rubocop = facts.names.has('.rubocop.yml');
  const rspec = facts.names.has('.rspec') || facts.names.has('spec');
  const rake = facts.names.has('Rakefile') ? await facts.read('Rakefile') : '';
  return {
    type: 'ruby',
    confidence: 0.9,
    packageManager: 'bundler',
    commands: commandsOf({
      test: rspec ? `${prefix}rspec` : /\btest\b/i.test(rake) ? `${prefix}rake test` : undefined,
      format: rubocop ? `${prefix}rubocop -a` : undefined,
      lint: rubocop ? `${prefix}rubocop` : undefined,
      build: specs[0] === undefined ? undefined : `gem build ${specs[0]}`,
    }),
    configFiles,
  };
};

export const detectPhp: Detector = async (facts) => {
  if (!facts.names.has('composer.json')) return undefined;
  const text = await facts.read('composer.json');
  const scripts = /"scripts"\s*:\s*\{([^}]*)\}/s.exec(text)?.[1] ?? '';
  const script = (...names: readonly string[]): string | undefined => {
    const name = names.find((one) => scripts.includes(`"${one}"`));
    return name === undefined ? undefined : `composer run-script ${name}`;
  };
  const unit = facts.names.has('phpunit.xml') || facts.names.has('phpunit.xml.dist');
  return {
    type: 'php',
    confidence: 0.9,
    packageManager: 'composer',
    commands: commandsOf({
      test: script('test', 'tests') ?? (unit ? 'vendor/bin/phpunit' : undefined),
      format: script('format', 'fix', 'cs-fix'),
      lint: script('lint', 'cs', 'phpstan'),
      build: script('build'),
    }),
    configFiles: present(facts, 'composer.json', 'composer.lock', 'phpunit.xml', 'phpunit.xml.dist', 'phpstan.neon'),
  };
};
