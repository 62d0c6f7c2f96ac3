import { commandsOf, type Detector, present } from './detection.ts';

export const detectGo: Detector = async (facts) => {
  if (!facts.names.has('go.mod')) return undefined;
  return {
    type: 'go',
    confidence: 0.95,
    packageManager: 'go',
    commands: commandsOf({
      test: 'go test ./...',
      format: 'gofmt -w .',
      lint: (await facts.hasProgram('golangci-lint')) ? 'golangci-lint run' : undefined,
      build: 'go build ./...',
    }),
    configFiles: present(facts, 'go.mod', 'go.sum', 'go.work', '.golangci.yml', '.golangci.yaml'),
  };
};

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
  const scripts = present(facts, 'build.gradle', 'build.gradle.kts');
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
    configFiles: [...scripts, ...present(facts, 'settings.gradle', 'settings.gradle.kts', 'gradlew')],
  };
};
