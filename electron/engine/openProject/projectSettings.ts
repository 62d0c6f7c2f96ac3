import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Level } from '../../../shared/model/level.ts';
import { covers } from '../../../shared/model/level.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { type JsonRead, readJsonFile } from '../base/jsonFile.ts';
import { errnoOf } from '../base/log.ts';
import type { Narrowed } from './narrowSettings.ts';

/** What a project's own settings are worth now. */
export interface ProjectSettingsView {
  /** Whether there is a file. It can only narrow, so it counts without trust: no edit of the folder ends a sandbox (J6). */
  readonly state: 'none' | 'counts';
  readonly narrows: Readonly<Record<string, unknown>>;
  /** What does not count, each a sentence. */
  readonly notices: readonly string[];
}

/** The settings that hold in each project: the user's, narrowed by the project's `.vise/settings.json`. */
export interface ProjectSettings {
  /** As the project's file was read last. */
  of(project: string): Settings;
  /** The level, or the lower one that the project names. */
  allowed(project: string, level: Level): Level;
  /** Reads the project's file anew, and the user's where it is another. */
  read(project: string): Promise<ProjectSettingsView>;
}

/** Larger is no file of settings. */
const maxFileBytes = 256 * 1024;
const shownName = '.vise/settings.json';

export interface ProjectSettingsDeps {
  readonly user: () => Settings;
  /** Another process may have written the user's settings. */
  readonly refresh: () => void;
  /** Other settings hold in a project than before. */
  readonly changed: () => void;
}

export function createProjectSettings({ user, refresh, changed }: ProjectSettingsDeps): ProjectSettings {
  const known = new Map<string, (settings: Settings) => Narrowed>();
  const cached = new Map<string, { readonly user: Settings; readonly value: Narrowed }>();
  const narrowed = (project: string): Narrowed | undefined => {
    const narrow = known.get(project);
    if (narrow === undefined) return undefined;
    const settings = user();
    const before = cached.get(project);
    if (before?.user === settings) return before.value;
    const value = narrow(settings);
    cached.set(project, { user: settings, value });
    return value;
  };
  const forget = (project: string, view: Pick<ProjectSettingsView, 'state' | 'notices'>): ProjectSettingsView => {
    known.delete(project);
    cached.delete(project);
    return { ...view, narrows: {} };
  };
  const readAnew = async (project: string): Promise<ProjectSettingsView> => {
    const file = readProjectFile(project);
    if (file.state === 'missing') return forget(project, { state: 'none', notices: [] });
    if (file.state === 'broken')
      return forget(project, { state: 'counts', notices: [`${file.why}; it does not count.`] });
    const { narrowSettings } = await import('./narrowSettings.ts');
    known.set(project, (settings) => narrowSettings(settings, file.value));
    cached.delete(project);
    const { narrows = {}, notices = [] } = narrowed(project) ?? {};
    return { state: 'counts', narrows, notices: notices.map((notice) => `${shownName}: ${notice}.`) };
  };
  return {
    of: (project) => narrowed(project)?.settings ?? user(),
    allowed(project, level) {
      const most = narrowed(project)?.allow;
      return most !== undefined && covers(level, most) ? most : level;
    },
    async read(project) {
      refresh();
      const before = JSON.stringify(narrowed(project)?.narrows ?? {});
      const view = await readAnew(project);
      if (JSON.stringify(view.narrows) !== before) changed();
      return view;
    },
  };
}

/** Only the plain file itself: through a link anything of the machine could be read (P5). */
function readProjectFile(project: string): JsonRead {
  const path = join(project, '.vise', 'settings.json');
  try {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink() || realpathSync(path) !== path)
      return { state: 'broken', why: `${shownName} is reached through a link` };
    if (!stats.isFile()) return { state: 'broken', why: `${shownName} is no plain file` };
    if (stats.size > maxFileBytes) return { state: 'broken', why: `${shownName} is larger than ${maxFileBytes} bytes` };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return { state: 'missing' };
  }
  const read = readJsonFile(path);
  return read.state === 'broken' ? { ...read, why: read.why.replaceAll(path, shownName) } : read;
}
