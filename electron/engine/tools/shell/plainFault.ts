import type { Failure } from '../../../../shared/result.ts';

/** The executor's words for cli_based_tool, as any other tool tells them. */
export function plainFault({ error }: { readonly error: Failure }): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error: { ...error, message: error.message.replace(/^cli_based_tool: /, '') } };
}
