import { fail, ok, type Result, type ToolResult } from '../../../../../shared/result.ts';
import type { Action, ActionPorts, Params } from '../action.ts';

/** A tool's envelope as a result; its warnings join those of the command. */
export async function callTool(ports: ActionPorts, name: string, input: unknown): Promise<Result<unknown>> {
  const answer = await ports.callTool(name, input);
  for (const warning of answer.warnings ?? []) ports.warn(warning);
  return asResult(answer);
}

function asResult(answer: ToolResult): Result<unknown> {
  return answer.success ? ok(answer.data) : { ok: false, error: answer.error };
}

/** The run of an action that is one call of one tool. */
export function calls(tool: string, input: (params: Params) => unknown = (params) => params): Action['run'] {
  return (params, ports) => callTool(ports, tool, input(params));
}

/** Runs a program through the `run` tool, without a shell; an exit code other than 0 is the given failure. */
export async function runProgram(
  ports: ActionPorts,
  command: string,
  args: readonly string[],
  code: 'GIT_ERROR' | 'TOOL_EXECUTION_FAILED' = 'TOOL_EXECUTION_FAILED',
): Promise<Result<unknown>> {
  const answer = await callTool(ports, 'run', { command, args });
  if (!answer.ok) return answer;
  const data = fields(answer.value);
  const { exitCode } = data;
  if (typeof exitCode !== 'number' || exitCode === 0) return answer;
  const stderr = typeof data['stderr'] === 'string' ? data['stderr'].trim() : '';
  return fail(code, stderr || `${command} ended with exit code ${exitCode}`);
}

/** The fields of a JSON object; an empty object for anything else. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>) // an object, so its keys may be asked for
    : {};
}

export function textOf(params: Params, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
