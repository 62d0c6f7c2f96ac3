import type { Answer, Call } from '../../../shared/model/call.ts';
import type { FileVerdict } from '../../../shared/model/change.ts';
import type { SessionEvent, WrittenCall } from '../../../shared/model/event.ts';
import type { Intent } from '../../../shared/model/intent.ts';
import type { Level } from '../../../shared/model/level.ts';
import { type Failure, fail, type Result, type ToolResult, toolResult } from '../../../shared/result.ts';
import { describeError, type Log } from '../base/log.ts';
import type { FileOutcome, ProposedChange } from '../workspace/proposedChange.ts';
import type { Hands, Look, PlannedIntent, PreparedCall, Tool, Verdict } from './tool.ts';
import type { Toolset } from './toolset.ts';

/** What the gate is asked: the call as the person would see it. */
export interface GateCall {
  readonly id: string;
  readonly tool: string;
  readonly category: string;
  readonly level: Level;
  readonly intent: Intent;
  /** The question stands in the journal already (the engine was restarted while it waited). */
  readonly asked: boolean;
}

export type GateAnswer =
  | {
      readonly decision: 'allow';
      readonly answer: Answer;
      readonly verdicts?: readonly FileVerdict[];
      readonly text?: string;
    }
  | { readonly decision: 'deny'; readonly answer: Answer; readonly failure: Failure };

/** What running a call needs, and nothing more. */
export interface CallContext {
  readonly turn: string;
  readonly toolset: Toolset;
  readonly look: Look;
  readonly log: Log;
  emit(event: SessionEvent): void;
  /** Why the phase forbids this, or nothing. */
  forbids(tool: Tool, intent: PlannedIntent): string | undefined;
  pass(call: GateCall, signal: AbortSignal): Promise<GateAnswer>;
  /** The proposal as it crosses the wire; its contents are stored before anybody is asked. */
  describe(intent: PlannedIntent): Promise<Result<Intent>>;
  /** The changes that the person's verdicts leave. */
  compose(
    changes: readonly ProposedChange[],
    verdicts: readonly FileVerdict[] | undefined,
  ): Result<{
    readonly changes: readonly ProposedChange[];
    readonly files: readonly FileOutcome[];
  }>;
  hands(call: string, signal: AbortSignal): Hands;
}

/** A call that has been looked at: ready for the gate, or already refused. */
export type PlannedCall =
  | {
      readonly call: WrittenCall;
      readonly state: 'ready';
      readonly tool: Tool;
      readonly prepared: PreparedCall;
      readonly intent: Intent;
    }
  | {
      readonly call: WrittenCall;
      readonly state: 'refused';
      readonly tool?: Tool;
      readonly failure: Failure;
      readonly intent?: Intent;
    };

/** Find, validate, plan by looking, ask the phase. Changes nothing and asks nobody. */
export async function planCall(call: WrittenCall, context: CallContext): Promise<PlannedCall> {
  const tool = context.toolset.find(call.tool);
  if (!tool) return { call, state: 'refused', failure: unknownTool(call.tool, context.toolset) };
  try {
    // The name alone may already be forbidden: then nothing is planned, and a bad input does not hide it.
    const hidden = context.forbids(tool, nothingPlanned);
    if (hidden) return { call, state: 'refused', tool, failure: phaseFailure(hidden) };
    if (call.input === undefined) return { call, state: 'refused', tool, failure: unreadable(call) };
    const prepared = await tool.prepare(call.input, context.look);
    if (!prepared.ok) return { call, state: 'refused', tool, failure: prepared.error };
    const intent = await context.describe(prepared.value.intent);
    if (!intent.ok) return { call, state: 'refused', tool, failure: intent.error };
    const forbidden = context.forbids(tool, prepared.value.intent);
    if (forbidden) return { call, state: 'refused', tool, failure: phaseFailure(forbidden), intent: intent.value };
    return { call, state: 'ready', tool, prepared: prepared.value, intent: intent.value };
  } catch (error) {
    return { call, state: 'refused', tool, failure: bug(tool.name, error, context.log) };
  }
}

/**
 * One call through the gate to its result. Always ends with exactly one `tool.finished`, whatever happens.
 * `past` is the call as the journal knows it, when it was proposed before a restart.
 */
export async function runTool(
  planned: PlannedCall,
  context: CallContext,
  signal: AbortSignal,
  past?: Call,
): Promise<ToolResult> {
  const { call } = planned;
  if (!past) {
    context.emit({
      type: 'tool.proposed',
      call: call.id,
      turn: context.turn,
      tool: call.tool,
      level: planned.tool?.permission ?? 'none',
      input: call.input ?? call.argumentsText ?? null,
      ...(planned.intent ? { intent: planned.intent } : {}),
    });
  }
  const result = await passAndRun(planned, context, signal, past);
  context.emit({ type: 'tool.finished', call: call.id, tool: call.tool, result });
  return result;
}

async function passAndRun(
  planned: PlannedCall,
  context: CallContext,
  signal: AbortSignal,
  past?: Call,
): Promise<ToolResult> {
  if (planned.state === 'refused') return { success: false, error: planned.failure };
  const { call, tool, prepared, intent } = planned;
  const { warnings } = prepared;
  try {
    if (past?.intent && JSON.stringify(past.intent) !== JSON.stringify(intent)) {
      return { success: false, error: moved };
    }
    const passed =
      past?.answer?.decision === 'allow' &&
      past.intent?.preview.kind !== 'changes' &&
      past.intent?.preview.kind !== 'question'
        ? ({ decision: 'allow', answer: past.answer } as const)
        : await context.pass(
            {
              id: call.id,
              tool: tool.name,
              category: tool.category,
              level: tool.permission,
              intent,
              asked: past?.approval !== undefined,
            },
            signal,
          );
    if (passed.answer.by !== 'level' || intent.risk !== 'none') {
      context.emit({ type: 'permission.answered', call: call.id, answer: passed.answer });
    }
    if (passed.decision === 'deny') return { success: false, error: passed.failure };
    const verdict = verdictOf(prepared, passed, context);
    if (!verdict.ok) return { success: false, error: verdict.error };
    if (signal.aborted) return { success: false, error: cancelled };
    context.emit({ type: 'tool.started', call: call.id });
    const result = toolResult(await prepared.run(context.hands(call.id, signal), verdict.value));
    return warnings.length > 0 ? { ...result, warnings } : result;
  } catch (error) {
    return { success: false, error: bug(tool.name, error, context.log) };
  }
}

function verdictOf(
  prepared: PreparedCall,
  passed: GateAnswer & { decision: 'allow' },
  context: CallContext,
): Result<Verdict> {
  const answer = passed.text === undefined ? {} : { answer: passed.text };
  const { preview } = prepared.intent;
  if (preview.kind !== 'changes') return { ok: true, value: { changes: [], files: [], ...answer } };
  const composed = context.compose(preview.changes, passed.verdicts);
  return composed.ok ? { ok: true, value: { ...composed.value, ...answer } } : composed;
}

const nothingPlanned: PlannedIntent = {
  risk: 'none',
  effects: [],
  targets: [],
  summary: '',
  preview: { kind: 'none' },
};

const cancelled: Failure = { code: 'CANCELLED', message: 'The call was stopped before it ran.' };

const moved: Failure = {
  code: 'STALE',
  message: 'The project has changed since this call was shown, so it was not run. Look again and propose it anew.',
};

function phaseFailure(why: string): Failure {
  return { code: 'PHASE_FORBIDDEN', message: `${why} Use the tools of this phase, or report to move on.` };
}

function unknownTool(name: string, toolset: Toolset): Failure {
  const nearest = toolset.nearest(name);
  const hint =
    nearest.length > 0
      ? ` Did you mean ${nearest.join(' or ')}?`
      : ` The tools are: ${toolset.tools.map((tool) => tool.name).join(', ')}.`;
  return fail('TOOL_NOT_FOUND', `There is no tool "${name}".${hint}`).error;
}

function unreadable(call: WrittenCall): Failure {
  return {
    code: 'VALIDATION_ERROR',
    message:
      'The arguments of this call are not valid JSON, so nothing was run. Write the call again with complete arguments.',
    details: { arguments: (call.argumentsText ?? '').slice(0, 500) },
  };
}

function bug(tool: string, error: unknown, log: Log): Failure {
  log.warn(`the tool ${tool} threw`, error);
  return { code: 'TOOL_EXECUTION_FAILED', message: `${tool} failed in a way it should not: ${describeError(error)}` };
}
