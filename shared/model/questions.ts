import type { Call } from './call.ts';
import { liveCallsOf } from './reduce.ts';
import type { SessionState } from './sessionState.ts';

/** Calls that are answered together; several only where they are edits of one change set. */
export type Question = readonly [Call, ...Call[]];

/** An edit that waits. One that cannot be taken back is asked about alone. */
export function waitsAsEdit({ state, intent, approval }: Call): boolean {
  return state === 'waiting' && intent?.preview.kind === 'changes' && !approval?.severe;
}

/** What waits for the person, as a person counts: the edits of one turn are one question, everything else is one by itself. */
export function questionsOf(session: SessionState): readonly Question[] {
  const questions: [Call, ...Call[]][] = [];
  for (const call of liveCallsOf(session)) {
    if (call.state !== 'waiting') continue;
    const same = questions.find(([first]) => first.turn === call.turn && waitsAsEdit(first) && waitsAsEdit(call));
    if (same) same.push(call);
    else questions.push([call]);
  }
  return questions;
}
