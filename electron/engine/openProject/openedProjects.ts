import { fail, type Result } from '../../../shared/result.ts';
import { realFolder } from '../project/projects.ts';
import { type OpenedProject, openProject } from './openedProject.ts';
import type { ProjectDeps } from './projectServices.ts';
import type { ProjectTasks } from './projectTasks.ts';

/** The parts of the projects in use, made once a folder. */
export interface OpenedProjects {
  open(path: string): Promise<Result<OpenedProject>>;
  /** Trust of a folder changed: its rules and specs count differently from now on. */
  changed(path: string): void;
  /** The user's settings changed. */
  settingsChanged(): void;
  /** Closes what the tools of all projects have opened. */
  close(): Promise<void>;
}

export function createOpenedProjects(lent: ProjectDeps, tasks: Pick<ProjectTasks, 'port'>): OpenedProjects {
  const { trustOf, settings } = lent;
  const open = new Map<string, Promise<Result<OpenedProject>>>();
  const make = async (path: string): Promise<Result<OpenedProject>> => {
    await settings.read(path);
    const parts = await openProject(path, await trustOf(path), lent, tasks.port(path));
    if (!parts.ok) open.delete(path); // a folder that is missing now may come back
    return parts;
  };
  return {
    async open(path) {
      const real = realFolder(path);
      if (!real.ok) return fail(real.error.code, `The project cannot be opened: ${real.error.message}`);
      const known = open.get(real.value) ?? make(real.value);
      open.set(real.value, known);
      return known;
    },
    changed(path) {
      void open.get(path)?.then(async (parts) => {
        await settings.read(path);
        if (parts.ok) parts.value.trustChanged(await trustOf(path));
      });
    },
    settingsChanged() {
      for (const opened of open.values()) void opened.then((parts) => parts.ok && parts.value.bridge.settingsChanged());
    },
    async close() {
      for (const opened of open.values()) {
        const parts = await opened;
        if (parts.ok) await parts.value.close();
      }
      open.clear();
    },
  };
}
