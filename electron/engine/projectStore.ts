import { fail, type Result } from '../../shared/result.ts';
import { realFolder } from './project/projects.ts';
import { openProjectParts, type ProjectParts } from './projectParts.ts';
import type { ProjectRoomsParts } from './projectRooms.ts';
import type { TaskRoom } from './taskRoom.ts';

/** The parts of the projects in use, made once a folder. */
export interface ProjectStore {
  open(path: string): Promise<Result<ProjectParts>>;
  /** Trust of a folder changed: its rules and specs count differently from now on. */
  changed(path: string): void;
  /** The user's settings changed. */
  settingsChanged(): void;
  /** Closes what the tools of all projects have opened. */
  close(): Promise<void>;
}

export function createProjectStore(lent: ProjectRoomsParts, tasks: Pick<TaskRoom, 'port'>): ProjectStore {
  const { trustOf, settings } = lent;
  const open = new Map<string, Promise<Result<ProjectParts>>>();
  const make = async (path: string): Promise<Result<ProjectParts>> => {
    await settings.read(path);
    const parts = await openProjectParts(path, await trustOf(path), lent, tasks.port(path));
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
