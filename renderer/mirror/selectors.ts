import type { BuildFinding } from '../../shared/model/build.ts';
import type { Call } from '../../shared/model/call.ts';
import type { Change } from '../../shared/model/change.ts';
import { type Question, questionsOf } from '../../shared/model/questions.ts';
import { liveCallsOf } from '../../shared/model/reduce.ts';
import type { SessionState } from '../../shared/model/sessionState.ts';
import { type SubagentEnd, subagentEndSchema } from '../../shared/model/subagent.ts';
import type { Task } from '../../shared/model/task.ts';
import type { ProjectInfo, SessionSummary, WorkbenchState } from '../../shared/model/workbench.ts';
import { remembered } from './remembered.ts';
import type { SessionsMirror } from './sessions.ts';

export const waitingCalls = remembered((session: SessionState): readonly Call[] =>
  liveCallsOf(session).filter((call) => call.state === 'waiting'),
);

/** One file of a proposal that waits, with the call that proposed it. */
export interface WaitingChange {
  readonly call: string;
  readonly change: Change;
  /** Where several edits of one file lie on top of each other: the how-manieth of how many. */
  readonly layer?: { readonly number: number; readonly of: number };
}

export function changesOf(call: Call): readonly Change[] {
  return call.intent?.preview.kind === 'changes' ? call.intent.preview.changes : [];
}

/** The files of all edits that wait, in the order of their calls: they are reviewed as one list. */
export const waitingChanges = remembered((session: SessionState): readonly WaitingChange[] =>
  layered(waitingCalls(session).flatMap((call) => changesOf(call).map((change) => ({ call: call.id, change })))),
);

/** The files in the order they came, the edits of one file one after the other. */
function layered(files: readonly WaitingChange[]): readonly WaitingChange[] {
  const byPath = Map.groupBy(files, ({ change }) => change.path);
  return [...byPath.values()].flatMap((layers) =>
    layers.length === 1
      ? layers
      : layers.map((file, index) => ({ ...file, layer: { number: index + 1, of: layers.length } })),
  );
}

const noFindings: readonly BuildFinding[] = [];

/** What the newest rounds of background builds find and were not cleared of. */
export const buildErrors = remembered(({ builds }: SessionState): readonly BuildFinding[] => {
  const errors = Object.values(builds).flatMap(({ findings }) =>
    findings.filter(({ severity }) => severity === 'error'),
  );
  return errors.length === 0 ? noFindings : errors;
});

export const lineTotals = (
  changes: readonly { readonly additions: number; readonly deletions: number }[],
): { readonly additions: number; readonly deletions: number } => ({
  additions: changes.reduce((sum, { additions }) => sum + additions, 0),
  deletions: changes.reduce((sum, { deletions }) => sum + deletions, 0),
});

export interface InboxEntry {
  readonly session: string;
  readonly title: string;
  readonly project: string;
  readonly calls: Question;
}

/** What waits for an answer in any watched session, oldest question first. */
export const inboxEntries = remembered((mirror: SessionsMirror): readonly InboxEntry[] =>
  Object.values(mirror.watched)
    .flatMap(({ state }) =>
      questionsOf(state).map((calls) => ({
        session: state.id,
        title: state.title,
        project: state.project,
        calls,
      })),
    )
    .toSorted((a, b) => askedAt(a.calls[0]).localeCompare(askedAt(b.calls[0]))),
);

const askedAt = (call: Call): string => call.approval?.askedAt ?? call.proposedAt;

/** Sessions that must be watched for the inbox to be complete. */
export const waitingSessions = (workbench: WorkbenchState): readonly string[] =>
  Object.values(workbench.sessions)
    .filter(({ waiting, broken }) => waiting > 0 && broken === undefined)
    .map(({ id }) => id);

export const waitingTotal = (workbench: WorkbenchState): number =>
  Object.values(workbench.sessions).reduce((sum, { waiting }) => sum + waiting, 0);

export const sessionsOf = (workbench: WorkbenchState, project: string | null): readonly SessionSummary[] =>
  Object.values(workbench.sessions)
    .filter((session) => session.project === project)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));

export const projectAt = (workbench: WorkbenchState, path: string | null): ProjectInfo | undefined =>
  workbench.projects.find((project) => project.path === path);

/** The path of the project that was opened last, of those that are still there. */
export const latestProject = (workbench: WorkbenchState): string | undefined =>
  workbench.projects.filter(({ exists }) => exists).toSorted((a, b) => b.openedAt.localeCompare(a.openedAt))[0]?.path;

/** The session of a project in which something happened last. */
export const latestSession = (workbench: WorkbenchState, project: string | null): string | undefined =>
  sessionsOf(workbench, project)
    .filter(({ archived, broken }) => !archived && broken === undefined)
    .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0]?.id;

/** The provider `default` has no block of its own: environment or command line name its address. */
export const usableProvider = ({ providers, activeProvider }: WorkbenchState): boolean =>
  activeProvider === 'default' || providers.some(({ usable }) => usable);

const liveRank: Readonly<Record<string, number>> = { running: 0, queued: 1 };

/** Running ones first, then the queue in its order, then the newest of those that ended. */
export const tasksInOrder = (session: SessionState): readonly Task[] =>
  Object.values(session.tasks).toSorted((a, b) => {
    const rank = (liveRank[a.state] ?? 2) - (liveRank[b.state] ?? 2);
    if (rank !== 0) return rank;
    if (a.state === 'queued') return (a.place ?? 0) - (b.place ?? 0);
    return a.state === 'running' ? a.createdAt.localeCompare(b.createdAt) : b.createdAt.localeCompare(a.createdAt);
  });

/** Whether somebody can be typed to. A command that is waited for has empty input: it must not hang on a question. */
export const takesInput = ({ kind, background, state }: Task): boolean =>
  state === 'running' && (kind === 'user' || background === 'explicit');

export const taskCounts = (workbench: WorkbenchState): { readonly running: number; readonly queued: number } => {
  const summaries = Object.values(workbench.sessions);
  return {
    running: summaries.reduce((sum, { tasks }) => sum + tasks.running, 0),
    queued: summaries.reduce((sum, { tasks }) => sum + tasks.queued, 0),
  };
};

/** The newest change set that can be taken back. */
export const undoable = (session: SessionState) => session.changeSets.findLast(({ state }) => state === 'applied');

/** The sessions that calls have started, by the session and id of the call. */
export const subagents = remembered(
  (sessions: WorkbenchState['sessions']): ReadonlyMap<string, SessionSummary> =>
    new Map(
      Object.values(sessions).flatMap((one) =>
        one.subagentOf ? [[`${one.subagentOf.session} ${one.subagentOf.call}`, one] as const] : [],
      ),
    ),
);

/** What the subagent of a finished call came to, also where the call failed; undefined of other calls. */
export const subagentEndOf = remembered((call: Call): SubagentEnd | undefined => {
  const { result } = call;
  const told = result?.success ? result.data : result?.error.details;
  // Most results are none: only what looks like one is checked.
  if (typeof told !== 'object' || told === null || !('report' in told)) return undefined;
  return subagentEndSchema.safeParse(told).data;
});
