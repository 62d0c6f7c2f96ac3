import type { Outcome } from '../../../shared/model/event.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { Failure } from '../../../shared/result.ts';

/** How a turn ended; becomes its `turn.finished`. */
export interface End {
  readonly outcome: Outcome;
  readonly text: string;
  readonly status?: 'answered' | 'unverified';
  readonly error?: Failure;
}

export const cancelled: End = { outcome: 'cancelled', text: '' };

export function failed(error: Failure): End {
  return error.code === 'CANCELLED' ? cancelled : { outcome: 'failed', text: error.message, error };
}

/** The iterations belong to the task, not to the session (seed 004 counted over the session's whole life). */
export function iterationsUsedUp({ mode, facts }: SessionState): End | undefined {
  if (mode !== 'phased' || facts.phase === 'DONE' || facts.iterations < facts.maxIterations) return undefined;
  const text = `Task failed: exceeded ${facts.maxIterations} iterations.`;
  return { outcome: 'failed', text, error: { code: 'LIMIT_EXCEEDED', message: text } };
}

/** The task is in FAILED: its end, with the cause that the phase change named. */
export function taskFailed(state: SessionState): End | undefined {
  if (state.mode !== 'phased' || state.facts.phase !== 'FAILED') return undefined;
  let cause = 'the task failed';
  for (const item of itemsOf(state.items)) if (item.kind === 'phase' && item.to === 'FAILED') ({ cause } = item);
  const text = cause.startsWith('Task failed') ? cause : `Task failed: ${cause}.`;
  return { outcome: 'failed', text, error: { code: 'TOOL_EXECUTION_FAILED', message: text } };
}

/** The newest words of the model. */
export function lastWords(state: SessionState): string {
  let text = '';
  for (const item of itemsOf(state.items)) if (item.kind === 'assistant' && item.text !== '') ({ text } = item);
  return text;
}

/** The answer after DONE: the model's closing words, or the summary of its report when there are none. */
export function closingText(state: SessionState, reply: { readonly text: string; readonly calls: number }): string {
  if (reply.text.trim() !== '' && reply.calls === 0) return reply.text;
  const report = callsOf(state).findLast((call) => call.tool === 'report_done' && call.result?.success);
  const data = report?.result?.success ? report.result.data : undefined;
  return typeof data === 'object' && data !== null && 'summary' in data ? String(data.summary) : 'The task is done.';
}
