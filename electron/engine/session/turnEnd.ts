import type { Call } from '../../../shared/model/call.ts';
import type { Outcome } from '../../../shared/model/event.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { Failure } from '../../../shared/result.ts';
import { reportSchema } from '../tools/phase/reports.ts';

/** How a turn ended; becomes its `turn.finished`. */
export interface End {
  readonly outcome: Outcome;
  readonly text: string;
  readonly status?: 'answered' | 'unverified';
  readonly error?: Failure;
  /** Of an incomplete turn, a line each. */
  readonly open?: readonly string[];
}

export const cancelled: End = { outcome: 'cancelled', text: '' };

export function failed(error: Failure): End {
  return error.code === 'CANCELLED' ? cancelled : { outcome: 'failed', text: error.message, error };
}

/** The iterations belong to the task, not to the session. */
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

/** A turn that ends with words: with everything done, with an answer, or with what is still open. */
export function finished(
  state: SessionState,
  turn: string,
  { text, status, open: told = [] }: Pick<End, 'text' | 'status' | 'open'>,
  isWriter: (tool: string) => boolean,
): End {
  const steps = state.mode === 'phased' ? state.facts.steps.filter((step) => step.state !== 'done') : [];
  const open = [...told, ...steps.map(({ intent }) => `Not done: ${intent}`), ...refusedEdits(state, turn, isWriter)];
  if (open.length > 0) return { outcome: 'incomplete', text, open };
  return { outcome: status === 'answered' ? 'answered' : 'done', text, status };
}

/** Refusals: the edit was right as it stands, and was not let through. Other failures are the edit's own. */
const refusals: ReadonlySet<string> = new Set([
  'PHASE_FORBIDDEN',
  'PERMISSION_DENIED',
  'PERMISSION_REQUIRED',
  'STALE',
  'CANCELLED',
]);

/**
 * The edits of a turn that were not made and not made good: refused ones until the same file is written, those that
 * failed by themselves until anything is written or a command runs.
 */
function refusedEdits(state: SessionState, turn: string, isWriter: (tool: string) => boolean): readonly string[] {
  const open = new Map<string, { readonly line: string; readonly isRefused: boolean }>();
  for (const call of callsOf(state)) {
    const { result, intent, tool } = call;
    if (call.turn !== turn || !result) continue;
    const paths = pathsOf(call);
    if (!(intent ? intent.preview.kind === 'changes' : isWriter(tool))) {
      if (result.success && intent?.effects.includes('executes') && !intent.provenReadOnly) forget(open, []);
    } else if (result.success) forget(open, paths);
    else if (result.error.code !== 'LIMIT_EXCEEDED') {
      const line = `Not written: ${paths.join(', ') || tool} (${result.error.code})`;
      open.set(paths.join('\0') || tool, { line, isRefused: refusals.has(result.error.code) });
    }
  }
  return [...open.values()].map(({ line }) => line);
}

function forget(open: Map<string, { readonly isRefused: boolean }>, written: readonly string[]): void {
  for (const [key, { isRefused }] of open)
    if (!isRefused || key.split('\0').every((path) => written.includes(path))) open.delete(key);
}

/** The files that a call would have written: what it showed, else what its input names. */
function pathsOf({ intent, input }: Call): readonly string[] {
  if (intent) return intent.targets.flatMap((target) => (target.kind === 'path' ? [target.path] : []));
  if (typeof input !== 'object' || input === null) return [];
  const named = 'filePath' in input ? input.filePath : 'path' in input ? input.path : undefined;
  return typeof named === 'string' ? [named.replace(/^\.\//, '')] : [];
}

/** The newest words of the model. */
export function lastWords(state: SessionState): string {
  let text = '';
  for (const item of itemsOf(state.items)) if (item.kind === 'assistant' && item.text !== '') ({ text } = item);
  return text;
}

/** The newest reply, together with those that it goes on from because they were cut off at the length limit. */
export function wholeText({ items }: SessionState): string {
  let text = '';
  let isCut = false;
  for (const item of itemsOf(items)) {
    if (item.kind === 'assistant') text = isCut ? text + item.text : item.text;
    if (item.kind === 'assistant') isCut = false;
    if (item.kind === 'system') isCut = item.hint === 'cut';
    if (item.kind === 'user') isCut = false;
  }
  return text;
}

/** The answer after DONE: the model's closing words, or the summary of its report when there are none. */
export function closingText(state: SessionState, reply: { readonly text: string; readonly calls: number }): string {
  if (reply.text.trim() !== '' && reply.calls === 0) return reply.text;
  const report = callsOf(state).findLast((call) => call.tool === 'report_done' && call.result?.success);
  const said = reportSchema.safeParse(report?.result?.success ? report.result.data : undefined);
  return said.success && said.data._report === 'done' ? said.data.summary : 'The task is done.';
}
