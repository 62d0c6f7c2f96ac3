import type { AppliedFile } from '../../../shared/model/change.ts';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { createDeferred, type Deferred } from '../base/deferred.ts';
import { shortId } from '../base/ids.ts';
import type { FileHands } from '../workspace/hands.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { mergeShares, type Share, shareOf } from './mergeShares.ts';

/**
 * Where a call of a reply stands:
 *
 *     open ──ask──▶ asked ──decide──▶ decided ──write──▶ given ──end──▶ ended
 *       └──────────────decide────────────▲
 *
 * A call may end at any stage. Calls that one answer allows write as one, as soon as each of them has given its changes
 * or ended: all of their files or none, one change set, one undo. A call that is allowed alone writes at once.
 */
type Stage = 'open' | 'asked' | 'decided' | 'given' | 'ended';

/** The calls of a session on their way from the proposal to their end. */
export interface CallStages {
  /** `changes`: what it proposes. */
  open(call: string, changes?: readonly ProposedChange[]): void;
  /** What the call proposes, as it was shown last. */
  proposal(call: string): readonly ProposedChange[];
  /** Shows other changes in place of those that the call proposed. */
  propose(call: string, changes: readonly ProposedChange[]): void;
  /** A person is asked about the call. */
  ask(call: string): void;
  /** The gate has answered. `together`: the calls that the same answer allows, in the order of the reply. */
  decide(call: string, together?: readonly string[]): void;
  /** Writes what the verdict has left of a call. Errors: those of `applyChanges`; calls that write as one fail as one. */
  write(call: string, turn: string, share: Share): Promise<Result<readonly AppliedFile[]>>;
  end(call: string): void;
  /** Whether a gate still holds the call, so that its changes may come true or not. */
  isUndecided(call: string): boolean;
  /**
   * Resolves when a person is asked about the call or it has ended; only for calls that have not ended yet. After a
   * restart the window shows a question from the journal while the turn is still on its way back to it.
   */
  untilAsked(call: string): Promise<void>;
  /**
   * What these calls leave below an edit that was planned on top of them, as far as it is not on the disk. Resolves when
   * each of them has ended or waits for the edit in the write that they share.
   */
  below(calls: readonly string[], upper: string): Promise<readonly ProposedChange[]>;
}

interface Group {
  /** In the order of the reply. */
  readonly calls: readonly string[];
  /** Those that have neither given their changes nor ended. */
  readonly missing: Set<string>;
  readonly shares: Map<
    string,
    Share & { readonly turn: string; readonly answer: Deferred<Result<readonly AppliedFile[]>> }
  >;
  isWritten: boolean;
}

interface Entry {
  stage: Stage;
  changes: readonly ProposedChange[];
  group?: Group;
  readonly listeners: Set<() => void>;
}

export function createCallStages(
  hands: Pick<FileHands, 'applyChanges'>,
  emit: (event: SessionEvent) => void,
  /** Told whenever what waits for an answer may be other than before. */
  onChange: () => void = () => undefined,
): CallStages {
  /** Without the calls that have ended. */
  const entries = new Map<string, Entry>();
  const entryOf = (call: string): Entry => {
    const entry = entries.get(call) ?? { stage: 'open', changes: [], listeners: new Set() };
    entries.set(call, entry);
    return entry;
  };
  const move = (entry: Entry, stage: Stage): void => {
    entry.stage = stage;
    onChange();
    for (const listener of [...entry.listeners]) listener();
  };
  const until = (entry: Entry, isReached: () => boolean): Promise<void> => {
    const { promise, resolve } = createDeferred<void>();
    const listener = (): void => {
      if (!isReached()) return;
      entry.listeners.delete(listener);
      resolve();
    };
    entry.listeners.add(listener);
    listener();
    return promise;
  };

  const apply = async (calls: readonly string[], turn: string, { changes, files }: Share) => {
    const of = (written: readonly AppliedFile[]): SessionEvent | undefined => {
      if (written.every(({ verdict }) => verdict === 'rejected')) return undefined;
      const others = calls.length > 1 ? { calls } : {};
      const fact = { type: 'change.applied', changeSet: shortId('change'), ...others, turn } as const;
      return { ...fact, call: calls[0] ?? '', files: written };
    };
    return hands.applyChanges(changes, files, { of, emit });
  };
  const writeWhole = async (group: Group): Promise<void> => {
    const calls = group.calls.filter((call) => group.shares.has(call));
    const shares = calls.flatMap((call) => group.shares.get(call) ?? []);
    try {
      const merged = mergeShares(shares);
      const done = merged.ok ? await apply(calls, shares[0]?.turn ?? '', merged.value) : merged;
      group.isWritten = true;
      for (const share of shares) share.answer.resolve(done.ok ? ok(shareOf(share, shares, done.value)) : done);
    } catch (error) {
      group.isWritten = true;
      for (const share of shares) share.answer.reject(error);
    }
  };
  /** The call has done its part of the group; the last one brings the write about. */
  const leave = (call: string, { group }: Entry): void => {
    if (group?.missing.delete(call) && group.missing.size === 0 && group.shares.size > 0) void writeWhole(group);
  };

  return {
    open: (call, changes = []) => move(Object.assign(entryOf(call), { changes }), 'open'),
    proposal: (call) => entries.get(call)?.changes ?? [],
    propose(call, changes) {
      const entry = entries.get(call);
      if (entry) entry.changes = changes;
      onChange();
    },
    ask: (call) => move(entryOf(call), 'asked'),
    decide(call, together = []) {
      const entry = entryOf(call);
      if (together.length > 1 && !entry.group) {
        const missing = new Set(together.filter((id) => entries.has(id)));
        const group: Group = { calls: together, missing, shares: new Map(), isWritten: false };
        for (const id of missing) entryOf(id).group = group;
      }
      move(entry, 'decided');
    },
    async write(call, turn, share) {
      const entry = entryOf(call);
      if (!entry.group?.missing.has(call)) return apply([call], turn, share);
      const answer = createDeferred<Result<readonly AppliedFile[]>>();
      entry.group.shares.set(call, { ...share, turn, answer });
      move(entry, 'given');
      leave(call, entry);
      return answer.promise;
    },
    end(call) {
      const entry = entries.get(call);
      entries.delete(call);
      if (!entry) return;
      move(entry, 'ended');
      leave(call, entry);
    },
    isUndecided: (call) => ['open', 'asked'].includes(entries.get(call)?.stage ?? 'ended'),
    untilAsked(call) {
      const entry = entryOf(call);
      return until(entry, () => entry.stage === 'asked' || entry.stage === 'ended');
    },
    async below(calls, upper) {
      const lower = calls.flatMap((call) => entries.get(call) ?? []);
      const isShared = ({ stage, group }: Entry): boolean =>
        stage === 'given' && group !== undefined && group === entries.get(upper)?.group;
      await Promise.all(lower.map((entry) => until(entry, () => entry.stage === 'ended' || isShared(entry))));
      return calls.flatMap((call) => {
        const group = entries.get(call)?.group;
        return group && !group.isWritten ? (group.shares.get(call)?.changes ?? []) : [];
      });
    },
  };
}
