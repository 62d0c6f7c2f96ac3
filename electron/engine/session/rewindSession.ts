import type { AppliedChangeSet, AppliedFile } from '../../../shared/model/change.ts';
import type { Envelope, EventOf } from '../../../shared/model/event.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import { type RewindPart, type RewindPoint, type RewindPreview, toldRewind } from '../../../shared/model/rewind.ts';
import type { Item, SessionState } from '../../../shared/model/sessionState.ts';
import { itemAt, itemsOf, type Timeline, timelineLength } from '../../../shared/model/timeline.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { shortId } from '../base/ids.ts';
import type { FileHands } from '../workspace/hands.ts';
import type { RewindOutcome, UndoStep } from '../workspace/undo.ts';
import { endOfOldCalls } from './agent.ts';
import { isRewind, type PastSession, pointBefore, stateBefore } from './forkPoint.ts';
import type { Session } from './session.ts';

export interface RewindDeps {
  readonly session: Session;
  readonly hands: Pick<FileHands, 'rewind'>;
  /** The journal of the session. */
  readonly read: () => Result<readonly Envelope[]>;
}

export interface Rewind {
  readonly to: RewindPoint;
  readonly what: RewindPart;
  readonly preview: boolean;
}

/**
 * Takes files, conversation or both back to a point: one write and one fact, which stands in the record of the write before
 * the first file changes. The journal is never cut. To be called while no turn runs. Errors: VALIDATION_ERROR (no such
 * point), UNAVAILABLE (a call of another program runs), those of reading the journal and of writing.
 */
export async function rewindSession(
  { session, hands, read }: RewindDeps,
  { to, what, preview }: Rewind,
): Promise<Result<RewindPreview>> {
  const journal = read();
  if (!journal.ok) return journal;
  const facts = journal.value;
  const found = findPoint(facts, session.state, to, what);
  if (!found.ok) return found;
  if (!preview) {
    session.emitTogether(endOfOldCalls(session));
    if (what !== 'files' && liveCallsOf(session.state).length > 0)
      return fail('UNAVAILABLE', 'A call of another program is under way. Wait for its end, and try again.');
  }
  const { state } = session;
  const { point, words, length } = found.value;
  const steps = what === 'talk' ? [] : stepsBack(facts, point.seq, state.changeSets);
  const isMovingTalk = what !== 'files';
  const done = await hands.rewind(steps, {
    preview,
    fact: {
      emit: session.emit,
      of: (outcome) =>
        isMovingTalk || outcome.steps.length > 0 ? factOf(outcome, { state, point, what, words, length }) : undefined,
    },
  });
  if (!done.ok) return done;
  const { names, left } = done.value;
  return ok({
    files: [...names],
    left: [...left],
    items: isMovingTalk ? Math.max(0, timelineLength(state.items) - length) : 0,
    ...(session.state.rewound === state.rewound ? {} : { rewind: session.state.rewound ?? undefined }),
  });
}

interface FoundPoint {
  readonly point: PastSession;
  /** Items of the conversation that stay. */
  readonly length: number;
  /** What the point is, for people. */
  readonly words: string;
}

function findPoint(
  facts: readonly Envelope[],
  { items, changeSets }: SessionState,
  to: RewindPoint,
  what: RewindPart,
): Result<FoundPoint> {
  if ('rewind' in to) {
    if (what !== 'files')
      return fail(
        'VALIDATION_ERROR',
        'The files of a rewind come again; what went of the conversation opens as a copy.',
      );
    const point = stateBefore(facts, isRewind(to.rewind));
    return point
      ? ok({ point, length: timelineLength(point.state.items), words: 'before the last way back' })
      : fail('VALIDATION_ERROR', 'There was no such rewind in this session.');
  }
  if ('item' in to) {
    if (to.item > timelineLength(items))
      return fail('VALIDATION_ERROR', `The conversation has no item ${to.item}; it has ${timelineLength(items)}.`);
    const length = what === 'files' ? to.item : wholeReplies(items, to.item);
    return ok({ point: pointBefore(facts, length), length, words: wordsOf(items, to.item) });
  }
  const set = changeSets.find(({ id }) => id === to.changeSet);
  if (!set) return fail('VALIDATION_ERROR', 'There is no such change set in this session.');
  const words = `before the change of ${set.files.map(({ path }) => path).join(', ')}`;
  if (what === 'files') {
    const point = stateBefore(
      facts,
      ({ event }) => event.type === 'change.applied' && event.changeSet === to.changeSet,
    );
    if (!point) return fail('VALIDATION_ERROR', 'The journal does not say when this change set was written.');
    return ok({ point, length: timelineLength(point.state.items), words });
  }
  const calls = new Set(set.calls ?? [set.call]);
  const at = [...itemsOf(items)].findIndex((item) => item.kind === 'call' && calls.has(item.call.id));
  if (at < 0) return fail('VALIDATION_ERROR', 'The conversation that made this change is not here any more.');
  const length = wholeReplies(items, at);
  return ok({ point: pointBefore(facts, length), length, words });
}

/** A reply stays with all of its calls or goes: where the point lies among them, it is moved before the reply. */
function wholeReplies(items: Timeline<Item>, wanted: number): number {
  const calls = new Set<string>();
  for (let index = wanted - 1; index >= 0; index -= 1) {
    const item = itemAt(items, index);
    if (item?.kind === 'call') calls.add(item.call.id);
    else if (item?.kind === 'assistant') return item.calls.every(({ id }) => calls.has(id)) ? wanted : index;
    else if (item?.kind === 'user') return wanted;
  }
  return wanted;
}

const shownChars = 60;

function wordsOf(items: Timeline<Item>, at: number): string {
  const item = itemAt(items, at);
  if (item?.kind === 'user') {
    const line = item.text.trim().split('\n')[0] ?? '';
    return `before “${line.length > shownChars ? `${line.slice(0, shownChars)}…` : line}”`;
  }
  return item ? 'an earlier reply' : 'the newest point';
}

/** One file of a change set, and which way it went. */
interface FileMove {
  readonly changeSet: string;
  readonly to: UndoStep['to'];
  readonly file: AppliedFile;
}

/** What leads from the files as the journal has them now to those of a point: each way back, what happened last first. */
function stepsBack(
  facts: readonly Envelope[],
  seq: number,
  changeSets: readonly AppliedChangeSet[],
): readonly UndoStep[] {
  const sets = new Map(changeSets.map((set) => [set.id, set]));
  const moves: FileMove[] = [];
  for (const { seq: at, event } of facts) {
    if (at <= seq) continue;
    for (const { changeSet, to, files } of movesOf(event))
      for (const file of sets.get(changeSet)?.files ?? [])
        if (files.includes(file.path)) addMove(moves, { changeSet, to, file });
  }
  const steps: UndoStep[] = [];
  for (const { changeSet, to: went, file } of moves.toReversed()) {
    const to = went === 'applied' ? 'undone' : 'applied';
    const before = steps.at(-1);
    if (before?.changeSet === changeSet && before.to === to)
      steps[steps.length - 1] = { ...before, files: [file, ...before.files] };
    else steps.push({ changeSet, to, files: [file] });
  }
  return steps;
}

/** A file that went and came right back has not moved: what anybody wrote meanwhile is then no hindrance. */
function addMove(moves: FileMove[], move: FileMove): void {
  const names = namesOf(move.file);
  const last = moves.findLastIndex(({ file }) => namesOf(file).some((name) => names.includes(name)));
  const before = moves[last];
  if (before && before.changeSet === move.changeSet && before.file.path === move.file.path && before.to !== move.to)
    moves.splice(last, 1);
  else moves.push(move);
}

const namesOf = ({ path, oldPath }: AppliedFile): readonly string[] =>
  oldPath === undefined ? [path] : [path, oldPath];

type Move = EventOf<'session.rewound'>['moved'][number];

function movesOf(event: Envelope['event']): readonly Move[] {
  switch (event.type) {
    case 'change.applied':
      return [{ changeSet: event.changeSet, to: 'applied', files: event.files.map(({ path }) => path) }];
    case 'change.undone':
    case 'change.redone':
      return [
        { changeSet: event.changeSet, to: event.type === 'change.undone' ? 'undone' : 'applied', files: event.files },
      ];
    case 'session.rewound':
      return event.moved;
    default:
      return [];
  }
}

function factOf(
  { steps, names, left }: RewindOutcome,
  { state, point, what, words, length }: FoundPoint & { readonly state: SessionState; readonly what: RewindPart },
): EventOf<'session.rewound'> {
  const { facts, compacted, lastOutcome, turn, interrupted } = point.state;
  const then = new Map(point.state.changeSets.map((set) => [set.id, set.state]));
  const isLater = what === 'talk' && state.changeSets.some((set) => set.state !== (then.get(set.id) ?? 'undone'));
  const isApart = left.length > 0 || what === 'files' || isLater;
  const parts = [
    `Went back to ${words}: ${what === 'both' ? 'files and conversation' : what === 'files' ? 'files only' : 'conversation only; the files stay as they are'}.`,
    ...(names.length > 0 ? [`Files: ${names.map(({ path, now }) => `${path} (${now})`).join(', ')}.`] : []),
    ...(left.length > 0 ? [`Left as they are: ${left.map(({ path, why }) => `${path} (${why})`).join(', ')}.`] : []),
    ...(isApart ? ['Read files again before they are relied on.'] : []),
  ];
  return {
    type: 'session.rewound',
    rewind: shortId('rewind'),
    moved: steps.map(({ changeSet, to, files }) => ({ changeSet, to, files: files.map(({ path }) => path) })),
    talk:
      what === 'files' ? null : { items: length, facts, compacted, lastOutcome, interrupted: turn?.id ?? interrupted },
    notice: {
      level: left.length > 0 ? 'warning' : 'info',
      code: isApart ? toldRewind : 'rewound',
      text: parts.join(' '),
    },
  };
}
