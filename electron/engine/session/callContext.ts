import { isDeepStrictEqual } from 'node:util';
import type { Brought } from '../../../shared/model/brought.ts';
import type { Approval } from '../../../shared/model/call.ts';
import type { Change } from '../../../shared/model/change.ts';
import { alikeKind } from '../../../shared/model/questions.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import type { TodoList } from '../../../shared/model/todo.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { shortId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { CallStages } from '../edits/callStages.ts';
import { innerPrefix } from '../edits/innerCalls.ts';
import { changesOf } from '../edits/proposedChanges.ts';
import type { CommandOutcome, CommandRequest } from '../exec/executor.ts';
import type { Gate, GateCall } from '../permission/gate.ts';
import { type CallContext, gateCallOf, planCall, runTool, type ShownIntent } from '../tools/frame/runTool.ts';
import type { SubagentAccess } from '../tools/frame/subagentAccess.ts';
import type { TodoAccess } from '../tools/frame/todoAccess.ts';
import type { Hands, Look, PlannedIntent } from '../tools/frame/tool.ts';
import type { Toolset } from '../tools/frame/toolset.ts';
import { composeVerdict } from '../workspace/composeVerdict.ts';
import type { Contents } from '../workspace/contents.ts';
import type { FileHands } from '../workspace/hands.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { externalTurn } from './externalCalls.ts';
import { forbids } from './phases.ts';
import type { Questions } from './questions.ts';
import type { Session } from './session.ts';
import type { SessionHooks } from './sessionHooks.ts';
import { isHidden, settleCall } from './settleCall.ts';

/** Told by whoever makes a request, and by what reads the list for a call. */
export interface LastRead {
  todos?: TodoList | undefined;
}

export interface CallContextDeps {
  readonly session: Session;
  readonly turn: string;
  readonly toolset: Toolset;
  readonly look: Look;
  readonly fileHands: FileHands;
  readonly contents: Contents;
  readonly gate: Gate;
  readonly questions: Questions;
  readonly stages: CallStages;
  readonly log: Log;
  /** The to-do list as the model has read it last. */
  readonly lastRead: LastRead;
  /** What a rehearsal has shown of a call that was asked about; see `CallContext`. */
  readonly remarks?: CallContext['remarks'];
  readonly hooks: SessionHooks;
  readonly subagents?: SubagentAccess | undefined;
  /** Runs a command as a task of this session. */
  readonly runCommand: (
    request: CommandRequest,
    call: { readonly id: string; readonly signal: AbortSignal; readonly output: (text: string) => void },
  ) => Promise<Result<CommandOutcome>>;
}

/** Joins one turn's calls with the rooms they need: phases in front, then the gate, then hands. */
export function createCallContext(parts: CallContextDeps): CallContext {
  const { session, turn, toolset, look, fileHands, gate, questions, stages, log } = parts;
  const describe = async (intent: PlannedIntent): Promise<Result<ShownIntent>> => {
    const { preview, ...rest } = intent;
    if (preview.kind !== 'changes') return ok({ intent: { ...rest, preview }, changes: [] });
    const changes: Change[] = [];
    const shown: ProposedChange[] = [];
    for (const proposed of preview.changes) {
      const described = await fileHands.describeChange(proposed);
      if (!described.ok) return described;
      changes.push(described.value.change);
      shown.push(described.value.proposed);
    }
    return ok({ intent: { ...rest, preview: { kind: 'changes', changes } }, changes: shown });
  };
  const hands = (call: string, signal: AbortSignal, bring: (brought: Brought) => void): Hands => {
    const output = (text: string): void => session.emit({ type: 'tool.output', call, text });
    return {
      look,
      signal,
      call,
      output,
      bring,
      ...(turn === '' || turn === externalTurn ? {} : { todos: todoAccess(parts), subagents: parts.subagents }),
      async bringPicture(bytes, facts) {
        const kept = await parts.contents.put(bytes);
        if (!kept.ok) return kept;
        const picture = { content: kept.value, ...facts };
        bring({ pictures: [picture] });
        return ok(picture);
      },
      applyChanges: (changes, files = []) => stages.write(call, turn, { changes, files }),
      runCommand: (request) => parts.runCommand(request, { id: call, signal, output }),
      async callTool(name, input) {
        const planned = await planCall({ id: `${innerPrefix(call)}${shortId('in')}`, tool: name, input }, inner);
        // What the inner call brought, this one brought.
        const emit: CallContext['emit'] = (event) => {
          if (event.type === 'tool.finished' && event.brought) bring(event.brought);
          inner.emit(event);
        };
        return runTool(planned, { ...inner, emit }, signal);
      },
    };
  };
  const context: CallContext = {
    turn,
    toolset,
    look,
    log,
    emit(event) {
      if (event.type === 'tool.finished') {
        session.emitTogether([event, ...settleCall(session.state, event, turn)]);
        stages.end(event.call);
        return;
      }
      session.emit(event);
      if (event.type === 'permission.answered') stages.decide(event.call, event.answer.together);
    },
    durable: () => session.durable(),
    forbids(tool, intent, call) {
      // The phase may have moved on while this call ran beside the one that moved it, before the engine ended. Only what
      // was asked, answered or begun had been let through: a refused call is proposed too, and never any of these.
      const known = liveCallsOf(session.state).find(({ id }) => id === call);
      if (known?.approval ?? known?.answer ?? known?.startedAt) return undefined;
      const { mode, facts } = session.state;
      return forbids(mode, facts.phase, tool, intent);
    },
    pass(call, signal, outcome) {
      if (call.intent.preview.kind === 'question') return questions.ask(call, signal);
      const { intent, approval } = liveCallsOf(session.state).find(({ id }) => id === call.id) ?? {};
      return gate.pass(call, signal, outcome && intent && approval && { intent, approval, outcome });
    },
    alike(planned) {
      const { intent, tool } = planned;
      if (intent.preview.kind !== 'command') return undefined;
      return alikeKind({ tool: tool.name, intent, approval: gate.question(gateCallOf(planned)) });
    },
    deniedPaths: ({ name, category }) => gate.deniedPaths({ tool: name, category }),
    async rejoin(call, answer, signal) {
      // Edits that lie on each other were judged together: each is planned over the others again before any is written.
      const shown = liveCallsOf(session.state).filter((one) => one.approval !== undefined && changesOf(one).length > 0);
      if (shown.some(({ id }) => id === call)) {
        stages.ask(call);
        const all = Promise.all(shown.map(({ id }) => stages.untilAsked(id)));
        await Promise.race([all, aborted(signal)]);
      }
      stages.decide(call, answer.together);
    },
    describe,
    compose: composeVerdict,
    remarks: parts.remarks,
    beforeCall: parts.hooks.beforeCall,
    afterCall: parts.hooks.afterCall,
    hands,
  };
  // The model wrote the outer call: what it is answered follows from that one, not from the calls within.
  const inner: CallContext = {
    ...context,
    emit(event) {
      if (event.type !== 'tool.finished' || !isHidden(session.state, event)) return context.emit(event);
      session.emit(event);
      stages.end(event.call);
    },
  };
  return context;
}

function todoAccess({ session, lastRead }: CallContextDeps): TodoAccess {
  return {
    read() {
      lastRead.todos = session.state.facts.todoList;
      return lastRead.todos?.todos ?? [];
    },
    isUnread() {
      const { todoList } = session.state.facts;
      return todoList?.by === 'person' && todoList !== lastRead.todos;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Puts a question of the gate before the person, unless it stands there since before a restart. */
export function askPerson(session: Session): (call: GateCall, approval: Approval) => void {
  return (call, approval) => {
    const known = liveCallsOf(session.state).find(({ id }) => id === call.id);
    if (known?.state === 'waiting') return;
    const intent = isDeepStrictEqual(known?.intent, call.intent) ? undefined : call.intent;
    session.emit({ type: 'permission.asked', call: call.id, approval, intent });
  };
}
