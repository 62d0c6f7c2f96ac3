import { fail, ok, type Result } from '../../../shared/result.ts';
import { shortId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { externalTurn } from '../session/externalCalls.ts';
import { planCall, runTool } from '../tools/frame/runTool.ts';
import type { Tool } from '../tools/frame/tool.ts';
import type { OpenedSession } from './openedSession.ts';

/** These only tell how the agent's own work goes on. */
const agentsOwn: ReadonlySet<string> = new Set(['phase', 'todo']);

export function isForPerson({ name, category }: Pick<Tool, 'name' | 'category'>): boolean {
  return !agentsOwn.has(category) && name !== 'ask_user';
}

/**
 * A call that the person starts in a session, without a model: planned, asked about and kept like any other, in whatever
 * phase the session is. Answers when it is proposed. Errors: those of its plan; then nothing of it is kept.
 */
export async function startPersonCall(
  opened: OpenedSession,
  tool: string,
  input: unknown,
  log: Log,
): Promise<Result<{ readonly call: string; readonly ended: Promise<void> }>> {
  const { project, stages } = opened;
  const found = project.toolset.find(tool);
  if (found && !isForPerson(found)) return fail('VALIDATION_ERROR', `Only the agent calls ${tool}.`);
  const context = { ...opened.callContext(externalTurn, () => project.toolset), forbids: () => undefined };
  const call = shortId('call');
  const planned = await planCall({ id: call, tool, input }, context);
  if (planned.state === 'refused') return { ok: false, error: planned.failure };
  stages.open(call, planned.changes);
  const ended = runTool(planned, context, new AbortController().signal).then(
    () => undefined,
    (error: unknown) => log.warn('a call of the person ended in a way it should not', error),
  );
  return ok({ call, ended });
}
