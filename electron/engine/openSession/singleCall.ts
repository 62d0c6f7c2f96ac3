import { join } from 'node:path';
import type { Brought } from '../../../shared/model/brought.ts';
import type { Approval } from '../../../shared/model/call.ts';
import type { FileVerdict } from '../../../shared/model/change.ts';
import type { SessionEvent } from '../../../shared/model/event.ts';
import type { ToolResult } from '../../../shared/result.ts';
import { datedId, shortId } from '../base/ids.ts';
import type { ModelImage } from '../model/base/port.ts';
import type { OpenedProjects } from '../openProject/openedProjects.ts';
import type { GateCall } from '../permission/gate.ts';
import { readPictures } from '../session/pictures.ts';
import { createSession } from '../session/session.ts';
import { planCall, runTool } from '../tools/frame/runTool.ts';
import { createContents } from '../workspace/contents.ts';
import { type OpenSessionDeps, openSession } from './openedSession.ts';

/** Who follows a single call from outside. */
export interface SingleCallListener {
  /** Its facts as they happen. */
  onEvent?(event: SessionEvent): void;
  /** The pictures that it brought, when it has gone well: there is no session to look them up in. */
  onPictures?(pictures: readonly ModelImage[]): void;
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
  listener?: SingleCallListener,
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

/**
 * One call without a conversation (`vise tool`, `vise call`, MCP): the same plan, gate and hands as any other. Nothing is
 * journaled; before-images are kept in the state folder, so that what it wrote can still be found.
 */
export function createSingleCalls(deps: OpenSessionDeps & { readonly openedProjects: OpenedProjects }): CallTool {
  const contents = createContents({
    folder: join(deps.ports.places.state, 'contents'),
    // No journal names any of them: the old ones make room.
    liveIds: () => Promise.resolve(new Set()),
  });
  return async (path, name, input, signal, { onEvent, onPictures, ask, answersQuestions = false } = {}) => {
    const project = await deps.openedProjects.open(path);
    if (!project.ok) return { success: false, error: project.error };
    const { bridge } = project.value;
    for (const text of project.value.untold()) deps.ports.notify?.(text);
    await project.value.readSettings();
    await bridge.find(name);
    const { clock, places, interactive } = deps.ports;
    let brought: Brought | undefined;
    const session = createSession({
      id: datedId(clock.now()),
      folder: places.state,
      journal: { sizeBytes: 0, append: () => undefined, durable: async () => undefined, close: () => undefined },
      clock,
      publish({ event }) {
        if (event.type === 'tool.finished') ({ brought } = event);
        onEvent?.(event);
      },
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
    const answer = async (call: GateCall, approval: Approval): Promise<void> => {
      const given = (await ask?.(call, approval).catch(() => 'unavailable' as const)) ?? 'unavailable';
      const { decision, reason, verdicts, text } = typeof given === 'object' ? given : { decision: given };
      if (opened.questions.answer(call.id, decision === 'allow' ? (text ?? '') : undefined)) return;
      if (decision === 'unavailable') return opened.gate.unanswerable(call.id);
      // The call may have ended meanwhile; then there is nothing left to answer.
      opened.gate.answer([{ call: call.id, decision: decision === 'allow' ? 'once' : 'deny', reason, verdicts }]);
    };
    const opened = openSession(
      session,
      project.value,
      {
        ask: (call, approval) => void answer(call, approval),
        permits: interactive || ask !== undefined,
        // A yes or no of a client's dialog is no answer to a question of the agent.
        answersInWords: interactive || answersQuestions,
      },
      { ...deps, contents },
    );
    // A pseudo command may bring tools that were not known when it began.
    const context = opened.callContext('', () => bridge.toolset);
    const planned = await planCall({ id: shortId('call'), tool: name, input }, context);
    const result = await runTool(planned, context, signal);
    session.dispose();
    const pictures = onPictures && brought?.pictures;
    if (pictures) onPictures(await readPictures(opened.contents, pictures));
    return result;
  };
}
