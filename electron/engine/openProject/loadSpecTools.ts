import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedSpecs } from '../bridge/cliSpec/loadSpecs.ts';
import type { SpecTools } from '../bridge/cliSpec/specTools.ts';
import { childEnvironment } from '../exec/childEnvironment.ts';
import type { EnginePorts } from '../ports.ts';
import type { ProjectScope } from './projectDeps.ts';

/** What loading the specs of a project brought. */
export interface LoadedTools extends SpecTools {
  readonly loaded: LoadedSpecs;
}

/** The scrubbed environment of programs that bridges start. */
export function bridgeEnvironment({ ports, settings, secrets, path }: ProjectScope): Record<string, string> {
  const { extraPaths } = settings().shell;
  return childEnvironment(ports.env, {
    extraPaths: typeof extraPaths === 'string' ? [extraPaths] : extraPaths,
    workspace: path,
    home: ports.env['HOME'] ?? homedir(),
    allow: [],
    secrets: secrets(),
    additions: {},
  });
}

/** Whether the user or the project has specs of its own; those that are shipped do not count. Looks at two folders. */
export function hasOwnSpecs(scope: ProjectScope): boolean {
  return ownFolders(scope).some((folder) => {
    try {
      return readdirSync(folder).length > 0;
    } catch {
      return false;
    }
  });
}

/** The specs of the user and the project as they lie on the disk: another text once one has come, changed or gone. */
export async function specsOnDisk(scope: ProjectScope): Promise<string> {
  const listed = await Promise.all(
    ownFolders(scope).map(async (folder) => {
      const names = (await readdir(folder).catch(() => [])).slice(0, maxLooked);
      return Promise.all(names.map((name) => stateOf(join(folder, name))));
    }),
  );
  return JSON.stringify(listed);
}

const maxLooked = 500;

async function stateOf(folder: string): Promise<readonly unknown[]> {
  const names = (await readdir(folder).catch(() => [])).slice(0, maxLooked);
  const states = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
  return [folder, ...states.map((file, i) => [names[i], file?.size, file?.mtimeMs, file?.ctimeMs])];
}

function ownFolders({ ports, path }: ProjectScope): readonly string[] {
  return [projectSpecs(path), ports.places.specs];
}

/** Loads specs and makes their tools. What programs were asked is kept in the state folder until they change. Never throws. `passive`: starts and writes nothing. */
export async function loadSpecTools(
  scope: ProjectScope,
  builtIn: ReadonlySet<string>,
  signal: AbortSignal,
  passive = false,
): Promise<LoadedTools> {
  const [{ loadSpecs }, { fileProbeCache }, { runProgram }, { searchPath }] = await Promise.all([
    import('../bridge/cliSpec/loadSpecs.ts'),
    import('../bridge/cliSpec/probeCache.ts'),
    import('../bridge/cliSpec/program.ts'),
    import('../bridge/cliSpec/resolveBinary.ts'),
  ]);
  const { ports, path, trusted, specTrust } = scope;
  try {
    if (!passive) mkdirSync(ports.places.specs, { recursive: true });
  } catch {
    // A home that cannot be written has no specs of its own.
  }
  const env = bridgeEnvironment(scope);
  const loaded = await loadSpecs({
    folders: [
      { path: projectSpecs(path), source: 'project', inside: path },
      { path: ports.places.specs, source: 'user' },
      { path: join(ports.resources, 'specs'), source: 'bundled' },
    ],
    search: searchPath(env, [], ports.platform),
    cache: fileProbeCache(probesFile(ports)),
    run: runProgram,
    env,
    cwd: tmpdir(), // a program that is only asked for its version has no business in the project
    project: path,
    passive,
    trusts: trusted,
    decided: (tool, hash) => specTrust.decided(path, tool, hash),
    signal,
  });
  return makeSpecTools(loaded, scope, builtIn);
}

/** Loaded specs as tools, with the levels that are set now. */
export async function makeSpecTools(
  loaded: LoadedSpecs,
  scope: ProjectScope,
  builtIn: ReadonlySet<string>,
): Promise<LoadedTools> {
  const [{ specTools }, { runAsTask }, { runProgram }] = await Promise.all([
    import('../bridge/cliSpec/specTools.ts'),
    import('../bridge/cliSpec/taskProgram.ts'),
    import('../bridge/cliSpec/program.ts'),
  ]);
  const { tasks, ports } = scope;
  const { levels } = scope.settings().bridge;
  const made = specTools(loaded.specs, builtIn, {
    runner: (hands, added) => runAsTask(hands, added, { tasks, clock: ports.clock, otherwise: runProgram }),
    env: () => bridgeEnvironment(scope),
    cwd: scope.path,
    level: (tool, spec) => levels[tool] ?? levels[spec],
  });
  return { ...made, loaded };
}

/** Every program is asked anew at the next load. */
export function forgetProbes(ports: EnginePorts): void {
  rmSync(probesFile(ports), { force: true });
}

function projectSpecs(project: string): string {
  return join(project, '.cli-bridge', 'specs');
}

function probesFile({ places }: EnginePorts): string {
  return join(places.state, 'specProbes.json');
}
