import { createHash } from 'node:crypto';
import type { OutputOf } from '../../../shared/contract/api.ts';
import type { Approval } from '../../../shared/model/call.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { GateCall } from '../permission/gate.ts';
import type { HandlerDeps } from './handlerDeps.ts';

/** A call that the person makes by a click. */
export interface PersonsCall {
  readonly tool: string;
  readonly input: unknown;
  /** The click has shown all of what is done: it is the answer, unless the question is a severe one. */
  readonly isShown: boolean;
}

type Acted = OutputOf<'git.act'>;

/**
 * Makes calls by the person's click, one after the other, through the same gate and hands as the agent's: what a rule denies
 * stays denied. A question that the click does not answer is handed back, and answered by its id. Errors: those of the tools.
 */
export async function actAsPerson(
  { callTool, tasks }: Pick<HandlerDeps, 'callTool' | 'tasks'>,
  project: string,
  calls: readonly PersonsCall[],
  confirmed: string | undefined,
): Promise<Result<Acted>> {
  const told: string[] = [];
  for (const { tool, input, isShown } of calls) {
    let asks: NonNullable<Acted['asks']> | undefined;
    const result = await callTool(project, tool, input, new AbortController().signal, {
      async ask(call, approval) {
        const question = questionOf(call, approval);
        if ((isShown && !approval.severe) || question.id === confirmed) return 'allow';
        asks = question;
        return 'deny';
      },
    });
    if (asks) return ok({ asks });
    if (!result.success) return fail(result.error.code, result.error.message);
    const said = await saidBy(result.data, (id) => ended(tasks, project, id));
    if (!said.ok) return said;
    told.push(said.value);
  }
  return ok({ done: told.filter((text) => text !== '').join('\n') });
}

function questionOf({ intent }: GateCall, { reasons }: Approval): NonNullable<Acted['asks']> {
  const { preview, summary } = intent;
  const text = preview.kind === 'text' ? preview.text : preview.kind === 'command' ? preview.command : '';
  const id = createHash('sha256')
    .update(JSON.stringify([summary, preview, intent.targets]))
    .digest('hex');
  return { id, summary, text, reasons: [...reasons] };
}

interface Ran {
  readonly exitCode?: number | null;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly backgroundTaskId?: string;
  readonly warnings?: readonly string[];
}

/** What a command printed, once it has ended; of a tool of git, its warnings. */
async function saidBy(data: unknown, wait: (task: string) => Promise<Ran>): Promise<Result<string>> {
  const given = (typeof data === 'object' && data !== null ? data : {}) as Ran; // of the tools above, each with its own schema
  const {
    exitCode,
    stdout,
    stderr = '',
    warnings = [],
  } = given.backgroundTaskId === undefined ? given : await wait(given.backgroundTaskId);
  if (stdout === undefined) return ok(warnings.join('\n'));
  const words = [stdout.trim(), stderr.trim()].filter((text) => text !== '').join('\n');
  if (exitCode === 0) return ok(stdout.trim() === '' ? words : stdout.trim());
  return fail('GIT_ERROR', words === '' ? `It ended with exit code ${exitCode ?? 'none'}.` : words);
}

async function ended(tasks: HandlerDeps['tasks'], project: string, id: string): Promise<Ran> {
  const executor = await tasks.executor(project);
  const task = await executor.wait(id);
  const output = await executor.result(id);
  return {
    exitCode: task.ok ? task.value.exitCode : null,
    stdout: output.ok ? output.value.stdout : '',
    stderr: output.ok ? output.value.stderr : '',
  };
}
