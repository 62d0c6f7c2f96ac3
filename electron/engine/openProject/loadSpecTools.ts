import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadedSpecs, loadSpecs } from '../bridge/cliSpec/loadSpecs.ts';
import { fileProbeCache } from '../bridge/cliSpec/probeCache.ts';
import { runProgram } from '../bridge/cliSpec/program.ts';
import { searchPath } from '../bridge/cliSpec/resolveBinary.ts';
import { type SpecTools, specTools } from '../bridge/cliSpec/specTools.ts';
import { runAsTask } from '../bridge/cliSpec/taskProgram.ts';
import type { ProjectScope } from './projectDeps.ts';
import { bridgeEnvironment, probesFile, projectSpecs } from './specPlaces.ts';

// Imported where specs are first loaded: one file for all of it, since each more costs a start about a millisecond.

/** What loading the specs of a project brought. */
export interface LoadedTools extends SpecTools {
  readonly loaded: LoadedSpecs;
}

/** Loads specs and makes their tools. What programs were asked is kept in the state folder until they change. Never throws. `passive`: starts and writes nothing. */
export async function loadSpecTools(
  scope: ProjectScope,
  builtIn: ReadonlySet<string>,
  signal: AbortSignal,
  passive = false,
): Promise<LoadedTools> {
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
export function makeSpecTools(loaded: LoadedSpecs, scope: ProjectScope, builtIn: ReadonlySet<string>): LoadedTools {
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
