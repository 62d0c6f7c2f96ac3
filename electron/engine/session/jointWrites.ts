import type { AppliedFile } from '../../../shared/model/change.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { createDeferred, type Deferred } from '../base/deferred.ts';
import { mergeShares, type Share, shareOf } from './mergeShares.ts';

/** Calls that were allowed by one answer write as one: all of their files or none, one change set, one undo. */
export interface JointWrites {
  /** These calls, in the order of the reply, were answered together. Twice the same calls are one write. */
  open(calls: readonly string[]): void;
  /** The call is to give its changes here instead of writing them itself. */
  expects(call: string): boolean;
  /** Resolves when every call of the group has given its changes or ended, and the whole is written or refused. */
  give(call: string, share: Share): Promise<Result<readonly AppliedFile[]>>;
  /** The call has ended; the others no longer wait for it. */
  end(call: string): void;
  /** See `CallContext.settled`. */
  settled(call: string, upper: string): Promise<void>;
  /** See `CallContext.given`. */
  given(call: string): Share['changes'];
}

export interface JointWriteParts {
  readonly write: (share: Share) => Promise<Result<readonly AppliedFile[]>>;
  /** It is on the disk: one fact for all of these calls. */
  readonly written: (calls: readonly string[], files: readonly AppliedFile[]) => void;
}

interface Group {
  readonly calls: readonly string[];
  readonly shares: Map<string, Share & { readonly answer: Deferred<Result<readonly AppliedFile[]>> }>;
  state: 'open' | 'writing' | 'done';
}

export function createJointWrites({ write, written }: JointWriteParts): JointWrites {
  const groups = new Map<string, Group>();
  const ended = new Set<string>();
  const ears = new Set<() => void>();
  const tell = (): void => {
    for (const ear of [...ears]) ear();
  };

  const writeOnceWhole = async (group: Group): Promise<void> => {
    const isWhole = group.calls.every((call) => group.shares.has(call) || ended.has(call));
    if (group.state !== 'open' || !isWhole) return;
    group.state = 'writing';
    const calls = group.calls.filter((call) => group.shares.has(call));
    const shares = calls.flatMap((call) => group.shares.get(call) ?? []);
    if (shares.length === 0) return;
    try {
      const merged = mergeShares(shares);
      const done = merged.ok ? await write(merged.value) : merged;
      group.state = 'done';
      if (done.ok) written(calls, done.value);
      for (const share of shares) share.answer.resolve(done.ok ? ok(shareOf(share, shares, done.value)) : done);
    } catch (error) {
      group.state = 'done';
      for (const share of shares) share.answer.reject(error);
    }
  };

  const isSettled = (call: string, upper: string): boolean => {
    if (ended.has(call)) return true;
    const group = groups.get(call);
    return group !== undefined && group === groups.get(upper) && group.shares.has(call);
  };

  return {
    open(calls) {
      if (calls.length < 2 || calls.some((call) => groups.has(call))) return;
      const group: Group = { calls, shares: new Map(), state: 'open' };
      for (const call of calls) groups.set(call, group);
      tell();
    },
    expects(call) {
      const group = groups.get(call);
      return group?.state === 'open' && !group.shares.has(call);
    },
    give(call, share) {
      const answer = createDeferred<Result<readonly AppliedFile[]>>();
      const group = groups.get(call);
      if (!group) throw new Error(`${call} writes alone`);
      group.shares.set(call, { ...share, answer });
      tell();
      void writeOnceWhole(group);
      return answer.promise;
    },
    end(call) {
      ended.add(call);
      tell();
      const group = groups.get(call);
      if (group) void writeOnceWhole(group);
    },
    settled(call, upper) {
      const { promise, resolve } = createDeferred<void>();
      const ear = (): void => {
        if (!isSettled(call, upper)) return;
        ears.delete(ear);
        resolve();
      };
      ears.add(ear);
      ear();
      return promise;
    },
    given(call) {
      const group = groups.get(call);
      return group && group.state !== 'done' ? (group.shares.get(call)?.changes ?? []) : [];
    },
  };
}
