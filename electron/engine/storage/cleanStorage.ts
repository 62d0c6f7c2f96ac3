import { existsSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageCleaned } from '../../../shared/contract/storageApi.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { isAbandonedTemporary } from '../base/temporaryFile.ts';
import { collectOutputs, type OutputLimits, outputLimits } from '../exec/taskFiles.ts';
import { createContents } from '../workspace/contents.ts';
import { contentIdsIn } from './contentIds.ts';
import { namesIn } from './readStorage.ts';

const dayMs = 24 * 3_600_000;

export interface CleanDeps {
  readonly state: string;
  readonly config: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly limits: Pick<Settings['storage'], 'keepDays' | 'maxOutputMb'>;
  /** Whether a task is known to run. */
  readonly runs: (task: string) => boolean;
}

/**
 * Removes what nothing can reach any more: contents that no journal names, outputs of sessions that are gone, before-images
 * of single calls that are too old, and what killed writes left. Journals and what they name are never touched.
 */
export async function cleanStorage(deps: CleanDeps): Promise<StorageCleaned> {
  const { state, config, now, runs } = deps;
  const keepMs = deps.limits.keepDays * dayMs;
  const sessions = join(state, 'sessions');
  let contents = 0;
  for (const id of await namesIn(sessions)) contents += await collectUnnamed(join(sessions, id), now);
  const limits: OutputLimits = { ...outputLimits, maxBytes: deps.limits.maxOutputMb * 1024 * 1024, maxAgeMs: keepMs };
  const isKept = (owner: string): boolean => existsSync(join(sessions, owner));
  const outputs = await collectOutputs(join(state, 'tasks'), { isKept, runs, now, limits });
  const singleCalls = createContents({ folder: join(state, 'contents'), youngMs: keepMs, now: () => now });
  const callContents = (await singleCalls.collect(new Set())).removedBytes;
  let leftovers = 0;
  for (const folder of [state, config, sessions]) leftovers += await removeLeftovers(folder);
  for (const id of await namesIn(sessions)) leftovers += await removeLeftovers(join(sessions, id));
  return { freedBytes: contents + outputs + callContents + leftovers, contents, outputs, callContents, leftovers };
}

/** A journal that cannot be read may name anything: then all of its contents stay. */
async function collectUnnamed(session: string, now: number): Promise<number> {
  const folder = join(session, 'contents');
  if (!existsSync(folder)) return 0;
  try {
    const named = await contentIdsIn(join(session, 'journal.jsonl'));
    return (await createContents({ folder, now: () => now }).collect(named)).removedBytes;
  } catch {
    return 0;
  }
}

async function removeLeftovers(folder: string): Promise<number> {
  let freed = 0;
  for (const name of await namesIn(folder)) {
    if (!isAbandonedTemporary(name)) continue;
    const path = join(folder, name);
    freed += (await lstat(path).catch(() => undefined))?.size ?? 0;
    await rm(path, { force: true });
  }
  return freed;
}
