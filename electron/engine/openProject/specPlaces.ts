import { readdirSync, rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../exec/childEnvironment.ts';
import type { EnginePorts } from '../ports.ts';
import type { ProjectScope } from './projectDeps.ts';

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

/** Every program is asked anew at the next load. */
export function forgetProbes(ports: EnginePorts): void {
  rmSync(probesFile(ports), { force: true });
}

/** Where a project keeps specs of its own. */
export function projectSpecs(project: string): string {
  return join(project, '.cli-bridge', 'specs');
}

/** What programs have told of themselves, for all projects. */
export function probesFile({ places }: EnginePorts): string {
  return join(places.state, 'specProbes.json');
}
