import * as z from 'zod';
import { type ErrorCode, errorCodes } from './errorCode.ts';
import type { Immutable } from './immutable.ts';

/** What went wrong, in words that say what to do. `details` is plain JSON for programs. */
export const failureSchema = z.lazy(() =>
  z.object({ code: z.enum(errorCodes), message: z.string(), details: z.unknown().optional() }),
);
export type Failure = Immutable<z.infer<typeof failureSchema>>;

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

/** The envelope every tool answers with, in every host. */
export const toolResultSchema = z.lazy(() =>
  z.discriminatedUnion('success', [
    z.object({ success: z.literal(true), data: z.unknown(), warnings: z.array(z.string()).optional() }),
    z.object({ success: z.literal(false), error: failureSchema, warnings: z.array(z.string()).optional() }),
  ]),
);
export type ToolResult = Immutable<z.infer<typeof toolResultSchema>>;

export function toolResult(result: Result<unknown>): ToolResult {
  return result.ok ? { success: true, data: result.value } : { success: false, error: result.error };
}
