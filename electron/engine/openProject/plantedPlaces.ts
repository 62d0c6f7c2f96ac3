import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { finalTaskStates, type Task } from '../../../shared/model/task.ts';
import type { Session } from '../session/session.ts';
import { protectedPath } from '../workspace/protectedPath.ts';

/** More entries of protected folders are not looked at. */
const maxEntries = 500;
/** Read-only in the sandbox, with all below. */
const held = new Set(['.git', '.vise', '.cli-bridge', '.vscode', '.zed', '.cursor', '.claude', '.codex', '.gemini']);

/** What other programs obey in a project (path relative to it), and what tells a content from another one. */
export type ObeyedFiles = ReadonlyMap<string, string>;

/** A file that a command has left where another program obeys it. */
export interface Planted {
  readonly path: string;
  readonly reason: string;
  /** It was not there before. */
  readonly isNew: boolean;
}

/** Protected files in the project's own folder and in protected folders there, as they are now (C12). */
export function obeyedFiles(project: string): ObeyedFiles {
  const found = new Map<string, string>();
  const enter = (folder: string): void => {
    for (const name of namesIn(join(project, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (held.has(path) || found.size >= maxEntries || protectedPath(path) === undefined) continue;
      const stat = lstatSync(join(project, path), { throwIfNoEntry: false });
      if (stat?.isDirectory()) enter(path);
      else if (stat) found.set(path, `${stat.ino} ${stat.size} ${stat.ctimeMs}`);
    }
  };
  enter('');
  return found;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // gone meanwhile, or not to be read
  }
}

/** What is there now and was not, or not so. */
export function plantedSince(before: ObeyedFiles, now: ObeyedFiles): readonly Planted[] {
  return [...now].flatMap(([path, mark]) =>
    before.get(path) === mark ? [] : [{ path, reason: protectedPath(path) ?? '', isNew: !before.has(path) }],
  );
}

/** Looks at a project before each sandboxed command, and tells once what has appeared or changed since. */
export class PlantedPlaces {
  readonly #before = new Map<string, ObeyedFiles>();

  /** `call`: whose command begins. */
  begin(call: string, project: string): void {
    this.#before.set(call, obeyedFiles(project));
  }

  /** What is new since the begin, or since this was last asked; nothing for a call that was not begun. */
  look(call: string, project: string): readonly Planted[] {
    const before = this.#before.get(call);
    if (before === undefined) return [];
    const now = obeyedFiles(project);
    this.#before.set(call, now);
    const planted = plantedSince(before, now);
    // Of several commands at once only the first to look tells it.
    for (const [other, files] of planted.length > 0 ? this.#before : [])
      this.#before.set(other, new Map([...files, ...planted.map(({ path }) => [path, now.get(path) ?? ''] as const)]));
    return planted;
  }

  end(call: string): void {
    this.#before.delete(call);
  }

  /** The person hears of it in the conversation whenever something of the task changed, and can set aside what is new. */
  tell({ emit, state: { project } }: Pick<Session, 'emit' | 'state'>, { call, state, title }: Task): void {
    if (call === undefined || state === 'queued') return;
    const found = this.look(call, project);
    if (finalTaskStates.includes(state)) this.end(call);
    const added = found.filter(({ isNew }) => isNew);
    const changed = found.filter(({ isNew }) => !isNew);
    const text = (what: string, files: readonly Planted[]): string =>
      `${what} while "${title}" ran in the sandbox, and obeyed by other programs: ${files.map(({ path, reason }) => `${path} (${reason})`).join(', ')}`;
    const notice = { type: 'notice', level: 'warning', code: 'planted' } as const;
    if (added.length > 0) emit({ ...notice, text: text('New', added), paths: added.map(({ path }) => path) });
    if (changed.length > 0) emit({ ...notice, text: text('Changed', changed) });
  }
}
