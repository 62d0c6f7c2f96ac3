import { commandsOf, type Detector, present } from './detection.ts';

export const detectGo: Detector = async (facts) => {
  if (!facts.names.has('go.mod') && !facts.names.has('go.work')) return undefined;
  // A workspace has no packages of its own: its modules are named.
  const modules = facts.names.has('go.mod') ? ['.'] : modulesOf(await facts.read('go.work'));
  const all = modules.map((path) => (path === '.' ? './...' : `${path}/...`)).join(' ');
  return {
    type: 'go',
    confidence: 0.95,
    packageManager: 'go',
    commands: commandsOf({
      test: all === '' ? undefined : `go test ${all}`,
      format: 'gofmt -w .',
      lint: (await facts.hasProgram('golangci-lint')) ? 'golangci-lint run' : undefined,
      build: all === '' ? undefined : `go build ${all}`,
    }),
    configFiles: present(facts, 'go.mod', 'go.sum', 'go.work', '.golangci.yml', '.golangci.yaml'),
  };
};

/** What `use` names, alone or in brackets; only names that a shell takes as they are. */
function modulesOf(work: string): readonly string[] {
  const named = [...work.matchAll(/^\s*use\s*(?:\(([^)]*)\)|(\S+))/gm)].flatMap(([, many, one]) =>
    (many ?? one ?? '').split('\n').map((line) => (line.split('//', 1)[0] ?? '').trim()),
  );
  return named.filter((path) => /^\.[\w./-]*$/.test(path)).map((path) => path.replace(/\/+$/, ''));
}

export const detectRust: Detector = async (facts) => {
  if (!facts.names.has('Cargo.toml')) return undefined;
  return {
    type: 'rust',
    confidence: 0.95,
    packageManager: 'cargo',
    commands: { test: 'cargo test', format: 'cargo fmt', lint: 'cargo clippy', build: 'cargo build' },
    configFiles: present(facts, 'Cargo.toml', 'Cargo.lock', 'rust-toolchain.toml', 'clippy.toml', 'rustfmt.toml'),
  };
};

/** Maven before Gradle where both are; a wrapper in the folder is what the project wants to be built with. */
export const detectJava: Detector = async (facts) => {
  if (facts.names.has('pom.xml')) {
    const maven = facts.names.has('mvnw') ? './mvnw' : 'mvn';
    const spotless = (await facts.read('pom.xml')).includes('spotless-maven-plugin');
    return {
      type: 'java',
      confidence: 0.9,
      packageManager: 'maven',
      commands: commandsOf({
        test: `${maven} test`,
        format: spotless ? `${maven} spotless:apply` : undefined,
        lint: spotless ? `${maven} spotless:check` : undefined,
        build: `${maven} package`,
      }),
      configFiles: present(facts, 'pom.xml', 'mvnw'),
    };
  }
  const scripts = present(facts, 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts');
  const [script] = scripts;
  if (script === undefined) return undefined;
  const gradle = facts.names.has('gradlew') ? './gradlew' : 'gradle';
  const spotless = (await facts.read(script)).includes('com.diffplug.spotless');
  return {
    type: 'java',
    confidence: 0.9,
    packageManager: 'gradle',
    commands: commandsOf({
      test: `${gradle} test`,
      format: spotless ? `${gradle} spotlessApply` : undefined,
      lint: spotless ? `${gradle} spotlessCheck` : undefined,
      build: `${gradle} build`,
    }),
    configFiles: [...scripts, ...present(facts, 'gradlew')],
  };
};
