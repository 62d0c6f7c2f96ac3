import { randomBytes } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { thisProcess } from '../base/processMark.ts';
import { type ApplyRecord, markOf, recordDone, recordMarks, removeRecord, writeRecord } from './applyRecord.ts';
import { atOnce } from './atOnce.ts';
import type { Contents } from './contents.ts';
import { newFileMode } from './disk.ts';
import {
  type Current,
  type FileWrite,
  staleFailure,
  type WriteContext,
  type WriteFact,
  type WriteStep,
  type Written,
} from './fileWrite.ts';
import type { HeldFolder } from './heldFolder.ts';
import { hashOf } from './textFile.ts';
import { checkAll } from './writeChecks.ts';
import { commitAll, removeQuietly, takeBack } from './writeCommit.ts';
import {
  findPlaces,
  foldersOf,
  type MadeFolder,
  makeParents,
  missingFolders,
  type Place,
  removeEmptyFolder,
} from './writePlaces.ts';
import { writeProblem } from './writeProblem.ts';

/**
 * Changes all of these files or none. Each is compared with what was shown right before; new content goes to temporary files
 * first, the old stays reachable under a second name until the last file is in place, and a record in the state folder lets
 * the next start finish or take back what a crash cut in two.
 * Errors: STALE (details: the files and why), DISK_FULL, FILE_WRITE_ERROR, LIMIT_EXCEEDED.
 */
export async function writeTogether(
  context: WriteContext,
  writes: readonly FileWrite[],
  fact?: WriteFact<readonly Written[]>,
): Promise<Result<readonly Written[]>> {
  const turn = previous.then(() => writeAlone(context, writes, fact));
  // Sets of one process go one after the other; a failure of one is not the next one's.
  previous = turn.then(
    () => undefined,
    () => undefined,
  );
  return turn;
}

let previous: Promise<void> = Promise.resolve();

/** As many as the pool of threads that does their reading and writing, twice. */
const filesAtOnce = 8;

async function writeAlone(
  context: WriteContext,
  writes: readonly FileWrite[],
  fact: WriteFact<readonly Written[]> | undefined,
): Promise<Result<readonly Written[]>> {
  const held: HeldFolder[] = [];
  const made: MadeFolder[] = [];
  const id = randomBytes(8).toString('hex');
  let busy = writes[0]?.path ?? '';
  try {
    const places = await findPlaces(writes, held);
    if (!places.ok) return places;
    const checked = await checkAll(writes, places.value);
    if (!checked.ok) return checked;
    const saved = await saveBeforeImages(context.contents, checked.value);
    if (!saved.ok) return saved;
    const plan = planSteps(writes, places.value, checked.value, id);
    const written = plan.map((step) => ({ ...writtenOf(step), ...foldersOf(places.value.get(step.write)) }));
    const applied = fact?.of(written);
    const record: ApplyRecord = {
      version: 2,
      id,
      session: context.session,
      owner: thisProcess(),
      files: plan.map(({ write, name, temporary, backup, current }) => ({
        path: write.path,
        real: path.join(path.dirname(write.real), name),
        before: current?.hash ?? null,
        after: write.after === null ? null : hashOf(write.after),
        temporary,
        backup,
      })),
      folders: missingFolders(places.value),
      fact: applied,
    };
    await writeRecord(context.records, record);
    const committed = new Set<WriteStep>();
    const steps: WriteStep[] = [];
    try {
      for (const step of plan) {
        busy = step.write.path;
        steps.push({ ...step, folder: await makeParents(context.disk, places.value, step.write, held, made) });
      }
      await atOnce(filesAtOnce, steps, async (step) => {
        if (step.write.after === null) return;
        const temporary = step.folder.at(step.temporary);
        try {
          await context.disk.createFile(temporary, step.write.after, step.rights);
          step.ours = await lstat(temporary);
        } catch (error) {
          busy = step.write.path;
          throw error;
        }
      });
      await recordMarks(
        context.records,
        id,
        steps.map(({ ours }) => (ours ? markOf(ours) : null)),
      );
      const stale = await commitAll(context.disk, steps, committed, (path) => {
        busy = path;
      });
      if (stale.length > 0) {
        await takeBack(context, id, steps, committed, made);
        return staleFailure(stale);
      }
      for (const folder of new Set([...made.map(({ inside }) => inside), ...steps.map((step) => step.folder)]))
        await context.disk.sync(folder);
      await recordDone(context.records, id);
    } catch (error) {
      await takeBack(context, id, steps, committed, made);
      return writeProblem(error, busy);
    }
    // The set stands. What cannot be told or tidied away now is at the next start: the record stays for that.
    const isTold = tell(fact, applied);
    const leftovers = steps.flatMap(({ write, folder, temporary, backup }) =>
      write.after === null ? [folder.at(backup), folder.at(temporary)] : [folder.at(backup)],
    );
    const tidied = await Promise.all(leftovers.map((place) => removeQuietly(context.disk, place)));
    if (isTold && tidied.every(Boolean)) await removeRecord(context.records, id).catch(() => undefined);
    for (const folder of new Set(writes.flatMap(({ emptied }) => emptied ?? [])))
      await removeEmptyFolder(context.disk, folder);
    return ok(written);
  } catch (error) {
    await removeRecord(context.records, id).catch(() => undefined);
    return writeProblem(error, busy);
  } finally {
    for (const folder of held) await folder.close().catch(() => undefined);
  }
}

function writtenOf({ write, current, rights }: Omit<WriteStep, 'ours'>): Written {
  return {
    path: write.path,
    before: current?.hash ?? null,
    after: write.after === null ? null : hashOf(write.after),
    ...(current ? { beforeMode: current.stats.mode & 0o7777 } : {}),
    ...(write.after === null ? {} : { afterMode: rights.mode }),
  };
}

function tell(fact: WriteFact<readonly Written[]> | undefined, told: SessionEvent | undefined): boolean {
  try {
    if (told) fact?.emit(told);
    return true;
  } catch {
    return false; // a journal that cannot be written: the end of the call says so
  }
}

async function saveBeforeImages(
  contents: Contents,
  found: ReadonlyMap<FileWrite, Current | undefined>,
): Promise<Result<undefined>> {
  // The same content is not written twice at a time.
  const all = new Map<string, Uint8Array>();
  for (const [write, current] of found) {
    if (current) all.set(current.hash, current.bytes);
    if (write.after) all.set(hashOf(write.after), write.after);
  }
  let problem: Result<undefined> = ok(undefined);
  await atOnce(filesAtOnce, [...all.values()], async (bytes) => {
    const saved = problem.ok ? await contents.put(bytes) : problem;
    if (!saved.ok && problem.ok) problem = saved;
  });
  return problem;
}

function planSteps(
  writes: readonly FileWrite[],
  places: ReadonlyMap<FileWrite, Place>,
  found: ReadonlyMap<FileWrite, Current | undefined>,
  id: string,
): readonly WriteStep[] {
  const byReal = new Map(writes.map((write) => [write.real, write]));
  return writes.flatMap((write, index) => {
    const folder = places.get(write)?.existing;
    if (!folder) return [];
    const current = found.get(write);
    const model = byReal.get(write.rightsOf ?? '');
    const stats = (current ?? (model ? found.get(model) : undefined))?.stats;
    const plain = write.mode ?? (stats ? stats.mode & 0o7777 : newFileMode());
    const mode =
      write.executable === undefined ? plain : write.executable ? plain | ((plain & 0o444) >> 2) : plain & ~0o111;
    // The names cannot be guessed, but are known to the record: what a crash leaves is found again (P10).
    const secret = `${id}${randomBytes(8).toString('hex')}`;
    return [
      {
        write,
        folder,
        name: path.basename(write.real),
        current,
        temporary: `.vise-${secret}-${index}.new`,
        backup: `.vise-${secret}-${index}.old`,
        rights: { mode, ...(stats ? { uid: stats.uid, gid: stats.gid } : {}) },
      },
    ];
  });
}
