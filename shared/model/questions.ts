import type { Call } from './call.ts';
import { liveCallsOf } from './reduce.ts';
import type { SessionState } from './sessionState.ts';

/** Calls that are answered together: edits of one change set, or commands that are alike. */
export type Question = readonly [Call, ...Call[]];

/** An edit that waits. One that cannot be taken back is asked about alone. */
export function waitsAsEdit({ state, intent, approval }: Call): boolean {
  return state === 'waiting' && intent?.preview.kind === 'changes' && !approval?.severe;
}

/**
 * Whether two commands that wait may have one card, which shows each of them whole: of the same program, in the same place, for
 * the same reasons. What cannot be taken back, deletes, writes, reaches a host or may only be allowed once is asked about alone.
 */
export function waitAlike(one: Call, other: Call): boolean {
  if (one.state !== 'waiting' || other.state !== 'waiting') return false;
  const kind = alikeKind(one);
  return kind !== undefined && kind === alikeKind(other);
}

/** What commands that may have one card have in common; undefined for a question that is asked alone. */
export function alikeKind({ tool, intent, approval }: Pick<Call, 'tool' | 'intent' | 'approval'>): string | undefined {
  if (intent?.preview.kind !== 'command' || !approval?.rememberable || approval.severe) return undefined;
  if (approval.offer || Object.values(approval.effects ?? {}).some((names) => names.length > 0)) return undefined;
  const { command, cwd, mode } = intent.preview;
  return JSON.stringify([tool, /^\S*/.exec(command)?.[0], cwd, mode, intent.risk, approval.reasons]);
}

/** Whether two calls that wait are answered on one card. */
export function waitTogether(one: Call, other: Call): boolean {
  return (waitsAsEdit(one) && waitsAsEdit(other)) || waitAlike(one, other);
}

/** What waits for the person, as a person counts: within a turn, its edits are one question, and so are commands that are alike. */
export function questionsOf(session: SessionState): readonly Question[] {
  const questions: [Call, ...Call[]][] = [];
  for (const call of liveCallsOf(session)) {
    if (call.state !== 'waiting') continue;
    const same = questions.find(([first]) => first.turn === call.turn && waitTogether(first, call));
    if (same) same.push(call);
    else questions.push([call]);
  }
  return questions;
}
