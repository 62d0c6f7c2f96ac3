import type { LaneRecord } from '../../../shared/model/lane.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import { tryLock } from '../base/fileLock.ts';
import type { Log } from '../base/log.ts';
import type { Sessions } from '../session/sessions.ts';
import { removeLane } from './closeLane.ts';
import type { LaneDeps } from './lanePlaces.ts';

export interface LanesDeps extends LaneDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly sessions: Pick<Sessions, 'create' | 'open' | 'list'>;
  /** Ends all that was started in a folder: commands, servers, pages. */
  readonly endAll: (folder: string) => Promise<void>;
}

/** What keeps lanes whole: one maker at a time, an end to all that runs in one, and what a crash has cut in two put right. */
export interface LaneCare {
  /** One at a time makes or closes a lane, over all processes; the lock of one that was killed counts for nothing. */
  held<T>(tree: string, act: () => Promise<Result<T>>): Promise<Result<T>>;
  /** Ends what runs in a lane, and archives its conversations. */
  rest(record: LaneRecord): Promise<void>;
  /** Finishes or takes back what was cut in two; what became of it, in words. */
  putAllRight(home: string): Promise<readonly string[]>;
}

export function createLaneCare(deps: LanesDeps): LaneCare {
  const { records, sessions } = deps;
  const sessionsIn = ({ folder }: LaneRecord): readonly string[] =>
    sessions
      .list()
      .filter(({ project }) => project === folder)
      .map(({ id }) => id);

  const held = async <T>(tree: string, act: () => Promise<Result<T>>): Promise<Result<T>> => {
    const lock = tryLock(`${tree}.lock`);
    if (!lock.held) return fail('UNAVAILABLE', 'This lane is being made or closed just now. Try again in a moment.');
    try {
      return await act();
    } finally {
      lock.lock.dispose();
    }
  };

  const rest = async (record: LaneRecord): Promise<void> => {
    for (const id of sessionsIn(record)) {
      const live = await sessions.open(id);
      if (!live.ok) continue; // open elsewhere or damaged: it loses its folder, and says so
      await live.value.agent.stop();
      if (!live.value.session.state.archived) live.value.session.emit({ type: 'session.archived', archived: true });
    }
    await deps.endAll(record.folder);
  };

  const putRight = async (record: LaneRecord): Promise<string | undefined> => {
    const done = await held(record.tree, async () => {
      const now = records.find(record.home, record.name);
      if (now?.state !== record.state) return ok(undefined);
      const [session] = sessionsIn(record);
      if (record.state === 'making' && session !== undefined) {
        records.write({ ...record, state: 'open', session });
        return ok(`The lane ${record.name} was being made when Vise ended; it is whole.`);
      }
      if (record.state === 'closing') await rest(record);
      const removed = await removeLane(deps, record);
      if (!removed.ok) return removed;
      return ok(
        record.state === 'making'
          ? `The lane ${record.name} was being made when Vise ended; what there was of it was taken back.`
          : `The lane ${record.name} was being closed when Vise ended; it is closed now.`,
      );
    });
    if (!done.ok) deps.log.warn(`the lane ${record.name} could not be put right`, done.error);
    return done.ok ? done.value : undefined;
  };
  const putAllRight = async (home: string): Promise<readonly string[]> => {
    const told: string[] = [];
    for (const record of records.list(home))
      if (record.state === 'making' || record.state === 'closing') {
        const words = await putRight(record);
        if (words !== undefined) told.push(words);
      }
    return told;
  };
  return { held, rest, putAllRight };
}
