import { isRecord } from '../../../base/jsonFile.ts';
import { commandsOf, type Detector, type FolderFacts, present } from './detection.ts';

const lockFiles: readonly (readonly [file: string, manager: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** What `npm init` writes in place of a test. */
const placeholder = /echo\s+\\?"?Error: no test specified/;

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  /** Corepack's `packageManager` (name@version), else the name of `devEngines`. */
  readonly packageManager: string;
}

/** package.json: the lock file names the package manager, the scripts are the commands. */
export const detectNode: Detector = async (facts) => {
  if (!facts.names.has('package.json')) return undefined;
  const manifest = readManifest(await facts.read('package.json'));
  const manager = managerOf(facts, manifest);
  const script = (...names: readonly string[]): string | undefined => {
    const name = names.find((one) => manifest.scripts[one] !== undefined && !placeholder.test(manifest.scripts[one]));
    if (name === undefined) return undefined;
    // `bun test` is bun's own runner, not the script.
    return name === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${name}`;
  };
  return {
    type: 'node',
    confidence: facts.names.has('tsconfig.json') ? 0.9 : 0.8,
    packageManager: manager,
    commands: commandsOf({
      test: script('test'),
      format: script('format', 'fmt'),
      lint: script('lint'),
      build: script('build'),
    }),
    configFiles: present(facts, 'package.json', 'tsconfig.json', ...lockFiles.map(([file]) => file)),
  };
};

/** The lock file decides; where there are several, or none, what the manifest names. */
function managerOf(facts: FolderFacts, { packageManager }: Manifest): string {
  const locked = lockFiles.filter(([file]) => facts.names.has(file)).map(([, manager]) => manager);
  const named = /^(npm|pnpm|yarn|bun)(?:@|$)/.exec(packageManager)?.[1];
  return (named !== undefined && locked.includes(named) ? named : locked[0]) ?? named ?? 'npm';
}

function readManifest(text: string): Manifest {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = null; // it is a node project all the same
  }
  const fields: Record<string, unknown> = typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  const { scripts, packageManager, devEngines } = fields;
  const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
  return {
    scripts: Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    packageManager: typeof packageManager === 'string' ? packageManager : nameIn(devEngines),
  };
}

function nameIn(devEngines: unknown): string {
  const wanted = isRecord(devEngines) ? devEngines.packageManager : undefined;
  return isRecord(wanted) && typeof wanted.name === 'string' ? wanted.name : '';
}
