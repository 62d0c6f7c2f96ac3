import type { ErrorCode } from './errorCode.ts';

/** What went wrong, in words that say what to do. `details` is plain JSON for programs. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: unknown;
}

/** Expected failure is a value; a throw is a bug and is caught only at the three edges (serve, runTool, the UI). */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(
  code: ErrorCode,
  message: string,
  details?: unknown,
): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error: details === undefined ? { code, message } : { code, message, details } };
}

/** The envelope every tool answers with, in every host (seed 002). */
export type ToolResult =
  | { readonly success: true; readonly data: unknown; readonly warnings?: readonly string[] }
  | { readonly success: false; readonly error: Failure; readonly warnings?: readonly string[] };

export function toolResult(result: Result<unknown>): ToolResult {
  return result.ok ? { success: true, data: result.value } : { success: false, error: result.error };
}
