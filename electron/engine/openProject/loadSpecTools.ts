import { mkdirSync, readdirSync, rmSync } from 'node:fs';
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
export function hasOwnSpecs({ places }: EnginePorts, project: string): boolean {
  return [places.specs, projectSpecs(project)].some((folder) => {
    try {
      return readdirSync(folder).length > 0;
    } catch {
      return false;
    }
  });
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
