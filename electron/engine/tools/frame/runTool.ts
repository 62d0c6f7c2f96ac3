import { type Brought, joinBrought } from '../../../../shared/model/brought.ts';
import type { Answer, Call } from '../../../../shared/model/call.ts';
import type { FileVerdict } from '../../../../shared/model/change.ts';
import type { SessionEvent, WrittenCall } from '../../../../shared/model/event.ts';
import type { Intent } from '../../../../shared/model/intent.ts';
import { type Failure, fail, ok, type Result, type ToolResult, toolResult } from '../../../../shared/result.ts';
import { describeError, type Log } from '../../base/log.ts';
import type { GateCall } from '../../permission/gate.ts';
import { type GateOutcome, pastOutcome } from '../../permission/outcomes.ts';
import { type GuardedLook, guardedLook } from '../../workspace/guardedLook.ts';
import type { FileOutcome, ProposedChange } from '../../workspace/proposedChange.ts';
import { rejectedWords } from './reviewed.ts';
import type { Hands, Look, PlannedIntent, PreparedCall, Tool, Verdict } from './tool.ts';
import type { Toolset } from './toolset.ts';

/** What running a call needs, and nothing more. */
export interface CallContext {
  readonly turn: string;
  readonly toolset: Toolset;
  readonly look: Look;
  readonly log: Log;
  emit(event: SessionEvent): void;
  /** Resolves when the person's answer is on the disk: only then the call touches anything. */
  durable(): Promise<void>;
  /** Why the phase forbids this, or nothing. A call that was let through before a restart is not judged anew. */
  forbids(tool: Tool, intent: PlannedIntent, call: string): string | undefined;
  /** `given`: what was answered about this call before its turn. */
  pass(call: GateCall, signal: AbortSignal, given?: GateOutcome): Promise<GateOutcome>;
  /** What the question about a command has in common with those that share its card; undefined: it is asked alone, or not at all. */
  readonly alike?: (call: ReadyCall) => string | undefined;
  /** A call that was answered before a restart: waits until what was shown beside it stands there again, and goes on. */
  rejoin(call: string, answer: Answer, signal: AbortSignal): Promise<void>;
  /** Which paths rules forbid this tool to read, where there are such rules. */
  deniedPaths(tool: Tool): ((path: string) => boolean) | undefined;
  /** The proposal as it crosses the wire, its contents stored before anybody is asked; and the changes with the places they were shown at. */
  describe(intent: PlannedIntent): Promise<Result<ShownIntent>>;
  /** The changes that the person's verdicts leave. */
  compose(
    changes: readonly ProposedChange[],
    verdicts: readonly FileVerdict[] | undefined,
  ): { readonly changes: readonly ProposedChange[]; readonly files: readonly FileOutcome[] };
  /** What is to be said with the answer of an edit that a person was asked about, of which this is written. */
  readonly remarks?: ((call: string, changes: readonly ProposedChange[]) => readonly string[]) | undefined;
  /** What hooks say of a call that is about to meet the gate; they can refuse it or have it asked, never let it through. */
  readonly beforeCall?: (call: ReadyCall, signal: AbortSignal) => Promise<CallObjections>;
  /** What hooks say to its result. */
  readonly afterCall?: (call: ReadyCall, result: ToolResult, signal: AbortSignal) => Promise<readonly string[]>;
  hands(call: string, signal: AbortSignal, bring: (brought: Brought) => void): Hands;
}

export interface CallObjections {
  readonly refusal: Failure | undefined;
  /** Why the person is to be asked whatever rules say. */
  readonly asks: string | undefined;
  /** For the model, with the result. */
  readonly said: readonly string[];
}

export interface ShownIntent {
  readonly intent: Intent;
  readonly changes: readonly ProposedChange[];
}

/** A call that has been looked at: ready for the gate, or already refused. */
export type PlannedCall =
  | {
      readonly call: WrittenCall;
      readonly state: 'ready';
      readonly tool: Tool;
      readonly prepared: PreparedCall;
      readonly intent: Intent;
      readonly changes: readonly ProposedChange[];
      /** What is proposed at the moment of the answer: it may have been rebased while it waited. */
      readonly proposal?: () => readonly ProposedChange[];
      /** Of an edit on top of others that had no answer yet: waits for theirs, and fits it to what came of them. Error: STALE (nothing of it fits). */
      readonly fit?: (verdict: Verdict) => Promise<Result<Verdict>>;
      /** Of a command that is asked about while those before it have not ended: waits for them and looks again. */
      readonly inTurn?: () => Promise<PlannedCall>;
    }
  | {
      readonly call: WrittenCall;
      readonly state: 'refused';
      readonly tool?: Tool;
      readonly failure: Failure;
      readonly intent?: Intent;
    };

export type ReadyCall = PlannedCall & { readonly state: 'ready' };

/** Find, validate, plan by looking, ask the phase. Changes nothing and asks nobody. */
export async function planCall(call: WrittenCall, context: CallContext): Promise<PlannedCall> {
  const tool = context.toolset.find(call.tool);
  if (!tool) return { call, state: 'refused', failure: unknownTool(call.tool, context.toolset) };
  try {
    // The name alone may already be forbidden: then nothing is planned, and a bad input does not hide it.
    const hidden = context.forbids(tool, nothingPlanned, call.id);
    if (hidden) return { call, state: 'refused', tool, failure: phaseFailure(hidden) };
    if (call.input === undefined) return { call, state: 'refused', tool, failure: unreadable(call) };
    const prepared = await tool.prepare(call.input, lookOf(tool, context).look);
    if (!prepared.ok) return { call, state: 'refused', tool, failure: prepared.error };
    const shown = await context.describe(prepared.value.intent);
    if (!shown.ok) return { call, state: 'refused', tool, failure: shown.error };
    const { intent, changes } = shown.value;
    const forbidden = context.forbids(tool, prepared.value.intent, call.id);
    if (forbidden) return { call, state: 'refused', tool, failure: phaseFailure(forbidden), intent };
    return { call, state: 'ready', tool, prepared: prepared.value, intent, changes };
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
      intent: planned.intent,
    });
  }
  const brought: Brought[] = [];
  const result = await passAndRun(planned, context, signal, (one) => brought.push(one), past);
  const all = result.success ? joinBrought(brought) : undefined;
  context.emit({ type: 'tool.finished', call: call.id, tool: call.tool, result, brought: all });
  return result;
}

/** A command that is asked about before its turn is looked at and judged again when the turn comes. */
async function passAndRun(
  planned: PlannedCall,
  context: CallContext,
  signal: AbortSignal,
  bring: (brought: Brought) => void,
  past?: Call,
): Promise<ToolResult> {
  if (planned.state === 'refused' || !planned.inTurn) return runInTurn(planned, context, signal, bring, past);
  const { id } = planned.call;
  const given = pastOutcome(past?.answer) ?? (await context.pass(gateCallOf(planned), signal));
  if (given.decision === 'deny') {
    if (!given.recorded) context.emit({ type: 'permission.answered', call: id, answer: given.answer });
    return withRemarks({ success: false, error: given.failure }, remarks(context, id));
  }
  const own = given.answer.by === 'user' ? given : undefined;
  return runInTurn(await planned.inTurn(), context, signal, bring, undefined, own);
}

async function runInTurn(
  planned: PlannedCall,
  context: CallContext,
  signal: AbortSignal,
  bring: (brought: Brought) => void,
  past?: Call,
  given?: GateOutcome,
): Promise<ToolResult> {
  if (planned.state === 'refused') return { success: false, error: planned.failure };
  const { call, tool, intent } = planned;
  try {
    if (past?.intent && JSON.stringify(past.intent) !== JSON.stringify(intent)) {
      return { success: false, error: moved };
    }
    const before = pastOutcome(past?.answer);
    if (before) await context.rejoin(call.id, before.answer, signal);
    const objected = before ? undefined : await context.beforeCall?.(planned, signal);
    if (objected?.refusal) return withRemarks({ success: false, error: objected.refusal }, objected.said);
    const passed = before ?? (await context.pass(gateCallOf(planned, objected?.asks), signal, given));
    if (!passed.recorded && (passed.answer.by !== 'level' || intent.risk !== 'none')) {
      context.emit({ type: 'permission.answered', call: call.id, answer: passed.answer });
    }
    if (passed.decision === 'deny')
      return withRemarks({ success: false, error: refusalOf(planned, passed) }, remarks(context, call.id));
    const { prepared } = planned;
    const judged = verdictOf(planned.proposal?.() ?? planned.changes, passed, context);
    const verdict = planned.fit ? await planned.fit(judged) : ok(judged);
    if (!verdict.ok) return { success: false, error: verdict.error };
    if (passed.answer.by === 'user') await context.durable();
    if (signal.aborted) return { success: false, error: cancelled };
    context.emit({ type: 'tool.started', call: call.id });
    const { look, leftOut: denied } = lookOf(tool, context);
    const result = toolResult(await prepared.run({ ...context.hands(call.id, signal, bring), look }, verdict.value));
    const after = (await context.afterCall?.(planned, result, signal)) ?? [];
    return withRemarks(withWarnings(result, prepared, denied()), [
      ...remarks(context, call.id, verdict.value.changes),
      ...(objected?.said ?? []),
      ...after,
    ]);
  } catch (error) {
    return { success: false, error: bug(tool.name, error, context.log) };
  }
}

/** The call as the gate judges it. */
export function gateCallOf({ call: { id }, tool, intent }: ReadyCall, objection?: string): GateCall {
  return { id, tool: tool.name, category: tool.category, level: tool.permission, intent, objection };
}

/** What a tool sees: nothing that a rule denies to it (C11). */
function lookOf(tool: Tool, { look, deniedPaths }: CallContext): GuardedLook {
  const isDenied = deniedPaths(tool);
  return isDenied ? guardedLook(look, isDenied) : { look, leftOut: () => 0 };
}

function deniedWords(count: number): string {
  return count === 1
    ? '1 path is left out, because a rule forbids to read it'
    : `${count} paths are left out, because rules forbid to read them`;
}

/** The result with what is said beside it: inputs that were ignored, and what is missing from the answer. */
export function withWarnings(result: ToolResult, { warnings, leftOut }: PreparedCall, denied = 0): ToolResult {
  const missing = result.success ? leftOut?.(result.data) : undefined;
  const all = [
    ...warnings,
    ...(missing === undefined ? [] : [missing]),
    ...(denied === 0 ? [] : [deniedWords(denied)]),
  ];
  return all.length > 0 ? { ...result, warnings: all } : result;
}

const remarks = ({ remarks: of }: CallContext, call: string, changes: readonly ProposedChange[] = []) =>
  of?.(call, changes) ?? [];

const withRemarks = (result: ToolResult, said: readonly string[]): ToolResult =>
  said.length === 0 ? result : { ...result, warnings: [...(result.warnings ?? []), ...said] };

/** A person who rejects a change says the same to the model whether it was one hunk after the other or all at once. */
function refusalOf({ changes }: ReadyCall, { answer, failure }: GateOutcome & { decision: 'deny' }): Failure {
  if (changes.length === 0 || answer.by !== 'user') return failure;
  return { ...failure, message: rejectedWords(answer.reason ?? '') };
}

function verdictOf(
  changes: readonly ProposedChange[],
  passed: GateOutcome & { decision: 'allow' },
  context: CallContext,
): Verdict {
  const { text, verdicts }: Answer = passed.answer;
  const answer = text === undefined ? {} : { answer: text };
  if (changes.length === 0) return { changes: [], files: [], ...answer };
  return { ...context.compose(changes, verdicts), ...answer };
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
