import type { Build } from '../../../shared/model/build.ts';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { rehearsalCall } from '../../../shared/model/rehearsal.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { finalTaskStates, type Task } from '../../../shared/model/task.ts';
import type { Result } from '../../../shared/result.ts';
import { type Clock, isoTime } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import type { Log } from '../base/log.ts';
import type { ExecEvent, LogSlice } from '../exec/executor.ts';
import type { Contents } from '../workspace/contents.ts';
import type { Look } from '../workspace/look.ts';
import { readRound } from './readRound.ts';
import { createRounds, type Round, type Rounds } from './rounds.ts';
import { nextBuild, noBuild, type TaskBuild } from './taskBuild.ts';
import { createTracer } from './traceLines.ts';

/** Between two looks at the log of a task that prints. */
const readEveryMs = 250;
/** Nothing came for so long: what there is can be judged. */
const quietMs = 1_000;
/** One that never falls silent is judged all the same. */
const maxUnjudgedMs = 5_000;
const pieceBytes = 256 * 1024;
/** Further behind than this, the end alone is read. */
const maxBehindBytes = 1024 * 1024;
const maxWatched = 50;

export interface SessionBuildsDeps {
  readonly session: { readonly state: SessionState; emit(event: SessionEvent): void };
  /** Of what the agent may read: what a build says of other files is left out (C11). */
  readonly look: () => Look;
  readonly contents: Pick<Contents, 'get'>;
  /** A part of what a task printed, as plain text. */
  readonly output: (task: string, offset: number, maxBytes: number) => Promise<Result<LogSlice>>;
  /** A build is other than before. */
  readonly changed: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reads what the background tasks of a session print, and tells how the newest round of each ended. */
export interface SessionBuilds extends Disposable {
  hear(event: ExecEvent): void;
}

interface Watched {
  task: Task;
  offset: number | undefined;
  readonly rounds: Rounds;
  build: TaskBuild;
  reader: Disposable | undefined;
  quiet: Disposable | undefined;
  /** When the oldest output came that nobody judged yet, by the clock. */
  unjudgedMs: number | undefined;
  /** One look after the other. */
  reading: Promise<void>;
}

export function createSessionBuilds(deps: SessionBuildsDeps): SessionBuilds {
  const { session, contents, output, clock, log } = deps;
  const watched = new Map<string, Watched>();
  const stopping = new AbortController();
  const isDisposed = (): boolean => stopping.signal.aborted;

  const judge = async (one: Watched, round: Round, isFailure = false): Promise<void> => {
    const { task } = one;
    const look = deps.look();
    const named = { name: task.title || task.command, command: task.command, cwd: task.cwd };
    const found = await readRound(round, named, look, stopping.signal);
    // A command that failed in a way of its own is no build.
    if (isFailure && !found.some(({ finding }) => finding.severity === 'error')) return;
    const { changeSets } = session.state;
    const before = one.build;
    one.build = await nextBuild(before, task.id, round, found, {
      at: isoTime(clock),
      changeSets,
      trace: createTracer({ contents, look, changeSets }),
    });
    const { build } = one.build;
    if (build === undefined || build === before.build || isDisposed() || !session.state.tasks[task.id]) return;
    tell(build);
  };
  const tell = (build: Build): void => {
    session.emit({ type: 'build.changed', build });
    deps.changed();
  };

  const read = async (one: Watched): Promise<void> => {
    for (;;) {
      const slice = await output(one.task.id, one.offset ?? 0, one.offset === undefined ? 0 : pieceBytes);
      if (!slice.ok || isDisposed()) return;
      const { sizeBytes, nextOffset, text } = slice.value;
      if (one.offset === undefined) {
        one.offset = Math.max(0, sizeBytes - pieceBytes);
        if (sizeBytes === 0) return;
        continue;
      }
      for (const round of one.rounds.write(text, clock.now())) await judge(one, round);
      one.offset = nextOffset;
      if (nextOffset >= sizeBytes) return;
      if (sizeBytes - nextOffset > maxBehindBytes) one.offset = sizeBytes - pieceBytes;
    }
  };
  const inTurn = (one: Watched, act: () => Promise<void>): void => {
    one.reading = one.reading.then(act).catch((error: unknown) => log.warn('a build could not be read', error));
  };
  const settle = (one: Watched): void => {
    one.quiet = undefined;
    one.unjudgedMs = undefined;
    inTurn(one, async () => {
      const round = one.rounds.settle();
      if (round) await judge(one, round);
    });
  };
  /** Looks soon, and judges what names no end of its own when the task has fallen silent. */
  const lookSoon = (one: Watched): void => {
    one.unjudgedMs ??= clock.now();
    one.reader ??= clock.after(readEveryMs, () => {
      one.reader = undefined;
      inTurn(one, () => read(one));
    });
    if (one.quiet && clock.now() - one.unjudgedMs > maxUnjudgedMs) return;
    one.quiet?.dispose();
    one.quiet = clock.after(quietMs, () => settle(one));
  };
  const leave = (one: Watched): void => {
    one.reader?.dispose();
    one.quiet?.dispose();
    watched.delete(one.task.id);
  };

  return {
    hear(event) {
      if (isDisposed()) return;
      const known = watched.get(event.type === 'removed' ? event.task : event.task.id);
      if (event.type === 'removed') return known && leave(known);
      const { task } = event;
      if (task.kind !== 'agent' || task.background === undefined || task.call === rehearsalCall) return;
      const isOver = finalTaskStates.includes(task.state);
      if (!known && (watched.size >= maxWatched || (isOver && task.outputBytes === 0))) return;
      const one = known ?? watch(task);
      const isNews = !known || one.task.outputBytes !== task.outputBytes;
      one.task = task;
      watched.set(task.id, one);
      if (!isOver) return isNews ? lookSoon(one) : undefined;
      leave(one);
      inTurn(one, async () => {
        await read(one);
        // One that was stopped has said nothing of how things are.
        if (task.state === 'completed' && task.exitCode !== 0) await judge(one, one.rounds.end(), true);
      });
    },
    dispose() {
      stopping.abort();
      for (const one of [...watched.values()]) leave(one);
    },
  };
}

function watch(task: Task): Watched {
  return {
    task,
    offset: undefined,
    rounds: createRounds(),
    build: { ...noBuild, startedMs: Date.parse(task.startedAt ?? task.createdAt) },
    reader: undefined,
    quiet: undefined,
    unjudgedMs: undefined,
    reading: Promise.resolve(),
  };
}
