import { fail } from '../../../shared/result.ts';
import type { Disposable } from '../base/disposer.ts';
import { createSessionBuilds } from '../builds/sessionBuilds.ts';
import { type AgentWaker, createAgentWaker } from '../builds/wakeAgent.ts';
import type { OpenedProject } from '../openProject/openedProject.ts';
import type { ProjectTasks } from '../openProject/projectTasks.ts';
import type { Gate } from '../permission/gate.ts';
import type { EnginePorts } from '../ports.ts';
import type { Agent } from '../session/agent.ts';
import type { Session } from '../session/session.ts';
import type { Contents } from '../workspace/contents.ts';
import { lookForModel } from './lookForModel.ts';

export interface BuildDeps {
  readonly ports: EnginePorts;
  readonly tasks: ProjectTasks;
  /** Who drives the session's turns, where it has any. */
  readonly agent?: () => Pick<Agent, 'rest' | 'send'> | undefined;
}

/** Has the builds of a session read, and its agent told of them. A call outside a conversation has nobody to tell. */
export function watchBuilds(
  session: Session,
  project: OpenedProject,
  contents: Contents,
  gate: Gate,
  { ports: { clock, log }, tasks, agent }: BuildDeps,
): Disposable & { readonly waker: AgentWaker } {
  const waker = createAgentWaker({
    state: () => session.state,
    budget: () => (agent?.() ? project.settings().agent.buildRequests : 0),
    rest: async () => agent?.()?.rest(),
    send: async ({ text, attachments }) =>
      (await agent?.()?.send(text, attachments)) ?? fail('UNAVAILABLE', 'Nobody drives this session.'),
    clock,
  });
  const builds = createSessionBuilds({
    session,
    look: () => lookForModel({ project, gate }),
    contents,
    output: async (task, offset, maxBytes) => (await tasks.executor(project.path)).log(task, offset, maxBytes),
    changed: () => waker.changed(),
    clock,
    log,
  });
  const watching = agent && tasks.watch(session.id, (event) => builds.hear(event));
  return {
    waker,
    dispose() {
      watching?.dispose();
      builds.dispose();
      waker.dispose();
    },
  };
}
