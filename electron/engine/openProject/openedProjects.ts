import { fail, type Result } from '../../../shared/result.ts';
import { realFolder } from '../project/projects.ts';
import { type OpenedProject, openProject } from './openedProject.ts';
import type { ProjectDeps } from './projectDeps.ts';

/** The projects in use, each opened once. */
export interface OpenedProjects {
  open(path: string): Promise<Result<OpenedProject>>;
  /** Trust of a folder changed: its rules and specs count differently from now on. */
  changed(path: string): void;
  /** The user's settings changed. */
  settingsChanged(): void;
  /** Closes what the tools of one have opened; it may be opened again. */
  end(path: string): Promise<void>;
  /** Closes what the tools of all projects have opened. */
  close(): Promise<void>;
}

export function createOpenedProjects(deps: ProjectDeps): OpenedProjects {
  const { trustOf, settings } = deps;
  const open = new Map<string, Promise<Result<OpenedProject>>>();
  const make = async (path: string): Promise<Result<OpenedProject>> => {
    await settings.read(path);
    const opened = await openProject(path, await trustOf(path), deps);
    if (!opened.ok) open.delete(path); // a folder that is missing now may come back
    return opened;
  };
  return {
    async open(path) {
      const real = realFolder(path);
      if (!real.ok) return fail(real.error.code, `The project cannot be opened: ${real.error.message}`);
      const known = open.get(real.value) ?? make(real.value);
      open.set(real.value, known);
      const opened = await known;
      // Another process may have been killed since: whoever opens the project next puts its files in order.
      if (opened.ok)
        await opened.value.recover().catch((error: unknown) => deps.ports.log.warn('a write was not recovered', error));
      return opened;
    },
    changed(path) {
      void open.get(path)?.then(async (opened) => {
        await settings.read(path);
        if (opened.ok) opened.value.trustChanged(await trustOf(path));
      });
    },
    settingsChanged() {
      for (const opening of open.values())
        void opening.then((opened) => opened.ok && opened.value.bridge.settingsChanged());
    },
    async end(path) {
      const opened = await open.get(path);
      open.delete(path);
      if (opened?.ok) await opened.value.close();
    },
    async close() {
      for (const opening of open.values()) {
        const opened = await opening;
        if (!opened.ok) continue;
        for (const text of opened.value.untold()) deps.ports.notify?.(text);
        await opened.value.close();
      }
      open.clear();
    },
  };
}
