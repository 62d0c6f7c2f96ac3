import { join } from 'node:path';
import type { ToolResult } from '../../shared/result.ts';
import { isoTime } from './base/clock.ts';
import { datedId, shortId } from './base/ids.ts';
import { createGate } from './permission/gate.ts';
import type { EnginePorts } from './ports.ts';
import type { ProjectStore } from './projectStore.ts';
import { createCallContext } from './session/callContext.ts';
import { createQuestions } from './session/questions.ts';
import { createSession } from './session/session.ts';
import type { TaskRoom } from './taskRoom.ts';
import { planCall, runTool } from './tools/runTool.ts';
import { createContents } from './workspace/contents.ts';
import { createFileHands } from './workspace/hands.ts';

export interface SingleCallParts {
  readonly ports: EnginePorts;
  readonly store: ProjectStore;
  readonly tasks: TaskRoom;
}

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
): Promise<ToolResult> {
  const project = await store.open(path);
  if (!project.ok) return { success: false, error: project.error };
  const { sandbox, look, toolset, ground, ruleStore } = project.value;
  const { clock, log, places, interactive, allow, answer } = ports;
  const journal = { append: () => undefined, close: () => undefined };
  const session = createSession({
    id: datedId(clock.now()),
    folder: places.state,
    journal,
    clock,
    publish: () => undefined,
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
  const put = (): void => undefined;
  const context = createCallContext({
    session,
    turn: '',
    toolset,
    look,
    fileHands: createFileHands({ sandbox, contents: createContents({ folder: join(places.state, 'contents') }) }),
    gate: createGate({
      ask: put,
      rules: () => project.value.rules(),
      save: (rule) => ruleStore.save(rule),
      allow: () => allow,
      interactive: () => interactive,
      ground,
      now: () => isoTime(clock),
      always: 'project',
    }),
    questions: createQuestions({ clock, put, interactive, given: answer }),
    log,
    runCommand: (request, call) => tasks.run(session, request, call),
  });
  const planned = await planCall({ id: shortId('call'), tool: name, input }, context);
  const result = await runTool(planned, context, signal);
  session.dispose();
  return result;
}
