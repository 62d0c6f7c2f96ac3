import { readdirSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type LaneRecord, laneRecordSchema } from '../../../shared/model/lane.ts';
import { readJsonFile, writeJsonFile } from '../base/jsonFile.ts';
import { makeFolder } from '../base/makeFolder.ts';
import { projectMark } from '../base/projectMark.ts';
import { realPath } from '../base/realPath.ts';

/** The lanes of all projects, each in a file of its own beside its working tree. */
export interface LaneRecords {
  /** Of one project, the oldest first. */
  list(home: string): readonly LaneRecord[];
  all(): readonly LaneRecord[];
  find(home: string, name: string): LaneRecord | undefined;
  /** The lane that has this folder as its project. */
  ofFolder(folder: string): LaneRecord | undefined;
  /** Durable when it returns. Throws the system's error. */
  write(record: LaneRecord): void;
  remove(record: LaneRecord): void;
  /** Where the working tree of a lane of this name lies. */
  treeOf(home: string, name: string): string;
}

export function createLaneRecords(state: string): LaneRecords {
  let root: string | undefined;
  const rootOf = (): string => (root ??= join(realPath(state), 'lanes'));
  const folderOf = (home: string): string => join(rootOf(), projectMark(home));
  const fileOf = ({ home, name }: Pick<LaneRecord, 'home' | 'name'>): string => join(folderOf(home), `${name}.json`);
  const readIn = (folder: string): readonly LaneRecord[] =>
    namesIn(folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => readRecord(join(folder, name)) ?? [])
      .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.name < b.name ? -1 : 1));
  return {
    list: (home) => readIn(folderOf(home)),
    all() {
      return namesIn(rootOf()).flatMap((mark) => readIn(join(rootOf(), mark)));
    },
    find: (home, name) => readRecord(fileOf({ home, name })),
    ofFolder(folder) {
      // Asked with each call of every project: what lies elsewhere costs no look.
      const start = `${rootOf()}${sep}`;
      if (!folder.startsWith(start)) return undefined;
      const [mark = '', name = ''] = folder.slice(start.length).split(sep);
      const record = readRecord(`${start}${join(mark, name)}.json`);
      return record?.folder === folder ? record : undefined;
    },
    write(record) {
      makeFolder(folderOf(record.home));
      writeJsonFile(fileOf(record), record);
    },
    remove: (record) => rmSync(fileOf(record), { force: true }),
    treeOf: (home, name) => join(folderOf(home), name),
  };
}

function readRecord(file: string): LaneRecord | undefined {
  const read = readJsonFile(file);
  const parsed = read.state === 'read' ? laneRecordSchema.safeParse(read.value) : undefined;
  return parsed?.success ? parsed.data : undefined;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
