import type { Attachment } from '../../../shared/model/event.ts';
import { fail, ok, type Result, type ToolResult } from '../../../shared/result.ts';
import { visible } from '../../../shared/text/visible.ts';
import { callFacts, hookNames, resultFacts } from '../bridge/hooks/hookInput.ts';
import type { Hooks, RanHook } from '../bridge/hooks/hooks.ts';
import type { CallContext, ReadyCall } from '../tools/frame/runTool.ts';
import type { Session } from './session.ts';
import type { End } from './turnEnd.ts';

/** Where the turns and calls of a session meet the hooks of the person and the project. Each run is told in the conversation. */
export interface SessionHooks extends Required<Pick<CallContext, 'beforeCall' | 'afterCall'>> {
  /** What hooks add to a message. Error: PERMISSION_DENIED (one refuses it). */
  onMessage(text: string, signal: AbortSignal): Promise<Result<readonly Attachment[]>>;
  /** What the agent is told instead of resting; undefined: it may. */
  onStop(end: End, signal: AbortSignal): Promise<string | undefined>;
  /** Why a hook wants this turn to end, once it has said so. */
  ended(turn: string): string | undefined;
}

/** A hook keeps a turn going so often; then it rests all the same. */
const maxContinued = 3;

export function createSessionHooks(session: Session, hooks: Hooks, project: string): SessionHooks {
  let begun = false;
  let continued = { turn: '', count: 0 };
  let ending: { readonly turn: string; readonly why: string } | undefined;

  const run = async (
    event: RanHook['hook']['event'],
    names: readonly string[],
    facts: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<readonly RanHook[]> => {
    const { id, mode, turn } = session.state;
    const ran = await hooks.run({ event, names, facts, session: { id, mode } }, signal);
    if (signal.aborted) return [];
    for (const one of ran) {
      session.emit({ type: 'notice', code: hookNotice, ...told(one, names[0] ?? '') });
      if (one.ends !== undefined && turn) ending = { turn: turn.id, why: one.ends };
    }
    return ran;
  };
  const refusalOf = (ran: readonly RanHook[]): string | undefined => {
    const found = ran.find(({ refusal, ends }) => refusal !== undefined || ends !== undefined);
    return found?.refusal ?? found?.ends;
  };

  return {
    async beforeCall({ tool, call }: ReadyCall, signal) {
      const ran = await run('PreToolUse', hookNames(tool), callFacts(project, tool, call.id, call.input), signal);
      const refusal = refusalOf(ran);
      return {
        refusal:
          refusal === undefined ? undefined : fail('PERMISSION_DENIED', `A hook refused this call: ${refusal}`).error,
        asks: ran.find(({ asks }) => asks !== undefined)?.asks,
        said: contextsOf(ran),
      };
    },
    async afterCall({ tool, call }: ReadyCall, result: ToolResult, signal) {
      const event = result.success ? 'PostToolUse' : 'PostToolUseFailure';
      const facts = { ...callFacts(project, tool, call.id, call.input), ...resultFacts(result) };
      const ran = await run(event, hookNames(tool), facts, signal);
      return [
        ...ran.flatMap(({ refusal }) => (refusal === undefined ? [] : [`A hook says: ${refusal}`])),
        ...contextsOf(ran),
      ];
    },
    async onMessage(text, signal) {
      const source = session.state.turns === 0 ? 'startup' : 'resume';
      const atStart = begun ? [] : await run('SessionStart', [source], { source }, signal);
      begun = true;
      const ran = await run('UserPromptSubmit', [], { prompt: text }, signal);
      if (signal.aborted) return fail('CANCELLED', 'The message was stopped while hooks looked at it.');
      const refusal = refusalOf(ran);
      if (refusal !== undefined) return fail('PERMISSION_DENIED', `A hook refused the message: ${refusal}`);
      const attached = [...atStart, ...ran].flatMap(({ context, hook }): readonly Attachment[] =>
        context === undefined ? [] : [{ kind: 'text', title: `From the hook ${nameOf(hook.command)}`, text: context }],
      );
      return ok(attached);
    },
    async onStop({ outcome, text }, signal) {
      const turn = session.state.turn?.id ?? '';
      if (outcome === 'failed' || outcome === 'cancelled' || outcome === 'blocked') return undefined;
      if (continued.turn !== turn) continued = { turn, count: 0 };
      const facts = { stop_hook_active: continued.count > 0, last_assistant_message: text };
      const ran = await run('Stop', [], facts, signal);
      const refusal = ran.find((one) => one.refusal !== undefined && one.ends === undefined)?.refusal;
      if (refusal === undefined || continued.count >= maxContinued) return undefined;
      continued = { turn, count: continued.count + 1 };
      return `A hook wants the work to go on: ${refusal}`;
    },
    ended: (turn) => (ending?.turn === turn ? `A hook ended the turn: ${ending.why}` : undefined),
  };
}

/** The code of the notices that tell of hooks: a quiet row each. */
const hookNotice = 'hook';

function told(one: RanHook, about: string): { readonly level: 'info' | 'warning'; readonly text: string } {
  const { hook, fault, refusal, asks, ends, context, message } = one;
  const name = `Hook ${hook.event}${about === '' ? '' : ` (${about})`} ${nameOf(hook.command)}`;
  const level = fault === undefined && message === undefined ? 'info' : 'warning';
  const said =
    fault ??
    (ends === undefined ? undefined : `ended the turn: ${ends}`) ??
    (refusal === undefined ? undefined : `${refusalWords[hook.event]}: ${refusal}`) ??
    (asks === undefined ? undefined : `wants you to be asked: ${asks}`) ??
    (context === undefined ? undefined : 'added words for the agent') ??
    'had nothing against it';
  return { level, text: [`${name} ${said}.`, ...(message === undefined ? [] : [message])].join(' ') };
}

const refusalWords = {
  SessionStart: 'refused it',
  UserPromptSubmit: 'refused the message',
  PreToolUse: 'refused the call',
  PostToolUse: 'spoke up',
  PostToolUseFailure: 'spoke up',
  Stop: 'wants the work to go on',
} as const satisfies Record<RanHook['hook']['event'], string>;

function contextsOf(ran: readonly RanHook[]): readonly string[] {
  return ran.flatMap(({ context, hook }) =>
    context === undefined ? [] : [`From the hook ${nameOf(hook.command)}: ${context}`],
  );
}

const maxName = 60;

function nameOf(command: string): string {
  const line = visible(command.split('\n', 1)[0] ?? '').text;
  return line.length <= maxName ? line : `${line.slice(0, maxName)}…`;
}
