import type { Hint, WrittenCall } from '../../../shared/model/event.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemAt, timelineLength } from '../../../shared/model/timeline.ts';

/** What the last reply of a turn still needs: the journal alone says so, so that a restart goes on at the same place. */
export type PendingReply =
  | { readonly kind: 'calls'; readonly calls: readonly WrittenCall[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nothing' };

export function pendingReply({ items }: SessionState): PendingReply {
  const answered = new Set<string>();
  let hasNotice = false;
  for (let index = timelineLength(items) - 1; index >= 0; index -= 1) {
    const item = itemAt(items, index);
    if (item?.kind === 'user' || item?.kind === 'end') return { kind: 'nothing' };
    if (item?.kind === 'system') hasNotice = true;
    if (item?.kind === 'call' && item.call.state === 'finished') answered.add(item.call.id);
    if (item?.kind !== 'assistant') continue;
    if (item.calls.length === 0) return hasNotice ? { kind: 'nothing' } : { kind: 'text', text: item.text };
    const calls = item.calls.filter((call) => !answered.has(call.id));
    return calls.length > 0 ? { kind: 'calls', calls } : { kind: 'nothing' };
  }
  return { kind: 'nothing' };
}

export interface RepliesInWords {
  /** Replies in a row without a call, the newest included. */
  readonly count: number;
  /** What Vise asked for in between, in order. */
  readonly hints: readonly Hint[];
}

/** The replies since the last one with calls (or the person's last words). */
export function repliesInWords({ items }: SessionState): RepliesInWords {
  const hints: Hint[] = [];
  let count = 0;
  for (let index = timelineLength(items) - 1; index >= 0; index -= 1) {
    const item = itemAt(items, index);
    if (item?.kind === 'user' || (item?.kind === 'assistant' && item.calls.length > 0)) break;
    if (item?.kind === 'assistant') count += 1;
    if (item?.kind === 'system' && item.hint) hints.unshift(item.hint);
  }
  return { count, hints };
}
