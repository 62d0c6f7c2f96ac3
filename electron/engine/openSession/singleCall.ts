import type { Approval } from '../../../shared/model/call.ts';
import type { FileVerdict } from '../../../shared/model/change.ts';
import type { SessionEvent } from '../../../shared/model/event.ts';
import type { ToolResult } from '../../../shared/result.ts';
import { isoTime } from '../base/clock.ts';
import { datedId, shortId } from '../base/ids.ts';
import { createCallStages } from '../edits/callStages.ts';
import type { OpenedProjects } from '../openProject/openedProjects.ts';
import type { ProjectTasks } from '../openProject/projectTasks.ts';
import { createGate, type GateCall } from '../permission/gate.ts';
import type { EnginePorts } from '../ports.ts';
import { createCallContext } from '../session/callContext.ts';
import { createQuestions } from '../session/questions.ts';
import { createSession } from '../session/session.ts';
import { planCall, runTool } from '../tools/runTool.ts';
import { createContents } from '../workspace/contents.ts';
import { createFileHands } from '../workspace/hands.ts';
import { singleCallContents } from './externalClient.ts';

export interface SingleCallParts {
  readonly ports: EnginePorts;
  readonly store: OpenedProjects;
  readonly tasks: ProjectTasks;
}

/** Who follows a single call from outside. */
export interface SingleCallListener {
  /** Its facts as they happen. */
  hear?(event: SessionEvent): void;
  /** Puts what the gate asks before somebody who may answer. Without it, what would be asked is denied. */
  ask?(call: GateCall, approval: Approval): Promise<SingleAnswer>;
  /** Whether `ask` can also bring the words that a question of the agent wants. */
  readonly answersQuestions?: boolean;
}

/** A single call as a host makes it. */
export type CallTool = (
  project: string,
  name: string,
  input: unknown,
  signal: AbortSignal,
  hears?: SingleCallListener,
) => Promise<ToolResult>;

/** The answer to one question; `unavailable` where nobody could be asked after all. */
export type SingleAnswer =
  | 'allow'
  | 'deny'
  | 'unavailable'
  | {
      readonly decision: 'allow' | 'deny';
      readonly reason?: string | undefined;
      /** File by file, for a change. */
      readonly verdicts?: readonly FileVerdict[] | undefined;
      /** The answer to a question of the agent. */
      readonly text?: string | undefined;
    };

const nobody =
  'Nobody can be asked here. Allow it beforehand: --allow moderate or --allow dangerous, or a rule of the project.';

/**
 * One call without a conversation (`vise tool`, `vise call`, MCP): the same plan, gate and hands as any other. Nothing is
 * journaled; before-images are kept with the state, so that what it wrote can still be found.
 */
export async function callToolOnce(
  { ports, store, tasks }: SingleCallParts,
  path: string,
  name: string,
  input: unknown,
  signal: AbortSignal,
  hears: SingleCallListener = {},
): Promise<ToolResult> {
  const project = await store.open(path);
  if (!project.ok) return { success: false, error: project.error };
  const { sandbox, look, bridge, ruleContext, ruleStore } = project.value;
  await project.value.readSettings();
  await bridge.find(name);
  const { clock, log, places, interactive, allow, answer } = ports;
  const journal = { append: () => undefined, close: () => undefined };
  const session = createSession({
    id: datedId(clock.now()),
    folder: places.state,
    journal,
    clock,
    publish: ({ event }) => hears.hear?.(event),
  });
  session.emit({
    type: 'session.started',
    id: session.id,
    project: project.value.path,
    title: '',
    mode: 'direct',
    provider: '',
    model: '',
  });
  const { ask } = hears;
  const gate = createGate({
    ask: (call, approval) => void answerFor(call, approval),
    rules: () => project.value.rules(),
    save: (rule) => ruleStore.save(rule),
    allow: () => project.value.allowed(allow),
    interactive: () => interactive || ask !== undefined,
    context: ruleContext,
    now: () => isoTime(clock),
    always: 'project',
    timed: project.value.timed,
  });
  const answerFor = async (call: GateCall, approval: Approval): Promise<void> => {
    const given = (await ask?.(call, approval).catch(() => 'unavailable' as const)) ?? 'unavailable';
    const { decision, reason, verdicts, text } =
      typeof given === 'object' ? given : { decision: given, reason: given === 'unavailable' ? nobody : undefined };
    if (questions.answer(call.id, decision === 'allow' ? (text ?? '') : undefined)) return;
    // The call may have ended meanwhile; then there is nothing left to answer.
    gate.answer(call.id, { decision: decision === 'allow' ? 'once' : 'deny', reason, verdicts });
  };
  const questions = createQuestions({
    clock,
    put: (call, approval) => void answerFor(call, approval),
    // Only who can answer in words is asked: a yes or no of a client's dialog says nothing.
    interactive: interactive || hears.answersQuestions === true,
    given: answer,
  });
  const contents = createContents({ folder: singleCallContents(places.state) });
  const fileHands = createFileHands({ sandbox, contents });
  const context = createCallContext({
    session,
    turn: '',
    // A pseudo command may bring tools that were not known when it began.
    toolset: {
      get tools() {
        return bridge.toolset.tools;
      },
      find: (tool) => bridge.toolset.find(tool),
      nearest: (tool) => bridge.toolset.nearest(tool),
    },
    look,
    fileHands,
    stages: createCallStages(fileHands, session.emit),
    gate,
    questions,
    log,
    runCommand: (request, call) => tasks.run(session, request, call),
  });
  const planned = await planCall({ id: shortId('call'), tool: name, input }, context);
  const result = await runTool(planned, context, signal);
  session.dispose();
  return result;
}
