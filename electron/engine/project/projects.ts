import { realpathSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import type { ProjectInfo, Trust } from '../../../shared/model/workbench.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoTime } from '../base/clock.ts';
import { type Disposable, disposable } from '../base/disposer.ts';
import { readJsonFile, updateJsonFile } from '../base/jsonFile.ts';
import { systemFault } from '../base/systemFault.ts';
import { projectRisks } from './trust.ts';

const entrySchema = z.lazy(() =>
  z.object({
    path: z.string(),
    openedAt: z.string(),
    /** The hash of what the folder could run when it was trusted; trust ends when the hash changes (J2). */
    trusted: z.string().optional(),
    sample: z.boolean().optional(),
  }),
);
const fileSchema = z.lazy(() => z.object({ projects: z.array(entrySchema) }));
type Entry = z.infer<typeof entrySchema>;

const keptRecents = 30;
/** How often folders are looked for: a person who deletes one hears of it soon. */
const lookMs = 2_000;

/** The folders that were opened, newest first, with the trust given to each. */
export interface Projects {
  list(): Promise<readonly ProjectInfo[]>;
  /** Remembers a folder. Errors: DIRECTORY_NOT_FOUND, NOT_A_DIRECTORY. */
  open(path: string, sample?: boolean): Promise<Result<ProjectInfo>>;
  forget(path: string): void;
  trust(path: string, trust: Trust, hash: string): Promise<Result<void>>;
  trustOf(path: string): Promise<Trust>;
  /** Calls when a folder of the list has gone or come back, until it is disposed. */
  follow(onChange: () => void): Disposable;
}

export function createProjects(file: string, clock: Clock): Projects {
  const entriesOf = (content: unknown): readonly Entry[] => {
    const parsed = fileSchema.safeParse(content);
    return parsed.success ? parsed.data.projects : [];
  };
  /** Opened while the list could not be written (a full or read-only disk): known until this Vise ends. */
  let unkept: readonly Entry[] = [];
  const read = (): readonly Entry[] => {
    const content = readJsonFile(file);
    const kept = content.state === 'read' ? entriesOf(content.value) : [];
    return [...unkept, ...kept.filter(({ path }) => unkept.every((other) => other.path !== path))];
  };
  const update = (change: (entries: readonly Entry[]) => readonly Entry[]): void =>
    void updateJsonFile(file, (content) => ({ projects: change(entriesOf(content)).slice(0, keptRecents) }));

  const trustFor = async (entry: Entry): Promise<Trust> => {
    if (entry.trusted === undefined) return 'restricted';
    const { hash } = await projectRisks(entry.path);
    return hash === entry.trusted ? 'trusted' : 'restricted';
  };
  const infoOf = async (entry: Entry): Promise<ProjectInfo> => {
    const exists = isFolder(entry.path);
    const branch = exists ? await branchOf(entry.path) : undefined;
    return {
      path: entry.path,
      name: basename(entry.path) || entry.path,
      trust: exists ? await trustFor(entry) : 'restricted',
      openedAt: entry.openedAt,
      exists,
      branch,
      ...(entry.sample ? { sample: true } : {}),
    };
  };

  return {
    list: () => Promise.all(read().map(infoOf)),
    async open(path, sample) {
      const real = realFolder(path);
      if (!real.ok) return real;
      let opened: Entry = { path: real.value, openedAt: isoTime(clock), ...(sample ? { sample } : {}) };
      const others = unkept.filter((entry) => entry.path !== real.value);
      try {
        update((entries) => {
          const known = entries.find((entry) => entry.path === real.value);
          opened = { ...known, ...opened };
          return [opened, ...entries.filter((other) => other !== known)];
        });
        unkept = others;
      } catch (error) {
        if (systemFault('', error) === undefined) throw error;
        unkept = [{ ...read().find((entry) => entry.path === real.value), ...opened }, ...others].slice(0, keptRecents);
      }
      return ok(await infoOf(opened));
    },
    forget: (path) => update((entries) => entries.filter((entry) => entry.path !== path)),
    async trust(path, trust, hash) {
      if (!read().some((entry) => entry.path === path))
        return fail('DIRECTORY_NOT_FOUND', `${path} is not an open project.`);
      const { hash: now } = await projectRisks(path);
      if (trust === 'trusted' && hash !== now) {
        return fail('STALE', 'What this folder could run has changed since it was listed. Look at the list again.');
      }
      const judged = trust === 'trusted' ? now : undefined;
      update((entries) => entries.map((entry) => (entry.path === path ? { ...entry, trusted: judged } : entry)));
      return ok(undefined);
    },
    async trustOf(path) {
      const known = read().find((entry) => entry.path === path);
      return known ? trustFor(known) : 'restricted';
    },
    follow(onChange) {
      let missing: string | undefined;
      let next: Disposable | undefined;
      let isOver = false;
      const isMissing = ({ path }: Entry): Promise<boolean> =>
        stat(path).then(
          (stats) => !stats.isDirectory(),
          () => true,
        );
      const look = async (): Promise<void> => {
        const entries = read();
        const gone = await Promise.all(entries.map(isMissing));
        if (isOver) return;
        const now = entries.flatMap(({ path }, index) => (gone[index] ? [path] : [])).join('\0');
        if (missing !== undefined && missing !== now) onChange();
        missing = now;
        next = clock.after(lookMs, () => void look());
      };
      void look();
      return disposable(() => {
        isOver = true;
        next?.dispose();
      });
    },
  };
}

/** Trust in each folder as it was when it was first asked about: what changes it ends the trust (`--trust-workspace`, J6). */
export function trustAsFound(): Projects['trustOf'] {
  const found = new Map<string, string>();
  return async (path) => {
    const { hash } = await projectRisks(path);
    const first = found.get(path) ?? hash;
    found.set(path, first);
    return hash === first ? 'trusted' : 'restricted';
  };
}

/** The real path of a folder. Errors: DIRECTORY_NOT_FOUND, NOT_A_DIRECTORY. */
export function realFolder(path: string): Result<string> {
  try {
    const real = realpathSync(resolve(path));
    if (statSync(real).isDirectory()) return ok(real);
    return fail('NOT_A_DIRECTORY', `${path} is not a folder. Open the folder it lies in: ${dirname(real)}`);
  } catch {
    return fail('DIRECTORY_NOT_FOUND', `The folder ${path} does not exist or cannot be read.`);
  }
}

function isFolder(path: string): boolean {
  return realFolder(path).ok;
}

/** The checked-out branch by reading `.git/HEAD` (or the folder a `.git` file points at); no process is started for it. */
async function branchOf(project: string): Promise<string | undefined> {
  const dotGit = join(project, '.git');
  const pointer = await readFile(dotGit, 'utf8').catch(() => undefined);
  const folder = pointer?.startsWith('gitdir: ') ? resolve(project, pointer.slice(8).trim()) : dotGit;
  const head = await readFile(join(folder, 'HEAD'), 'utf8').catch(() => undefined);
  if (head === undefined) return undefined;
  const name = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
  return name ?? head.trim().slice(0, 8);
}
