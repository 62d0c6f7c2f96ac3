import type { Failure, Result } from '../../../../shared/result.ts';

export type PseudoErrorType = 'INVALID_TOOL_PARAMS' | 'EXECUTION_FAILED';

export interface PseudoError {
  readonly message: string;
  readonly type: PseudoErrorType;
}

/** The result of one pseudo command. */
export interface PseudoResult {
  readonly llmContent: string;
  readonly returnDisplay: string;
  readonly error?: PseudoError;
  readonly warnings?: readonly string[];
}

/** Of an answer, in UTF-16 units. */
export const maxContent = 100_000;
const maxDisplay = 200;

export function helpResult(text: string): PseudoResult {
  return { llmContent: text, returnDisplay: clip(firstLine(text)) };
}

export function errorResult(error: PseudoError, more = '', warnings: readonly string[] = []): PseudoResult {
  const first = `Error: ${error.message}`;
  return {
    llmContent: limit(more === '' ? first : `${first}\n${more}`),
    returnDisplay: clip(firstLine(first)),
    error,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** What an action answered, as a result; a value that has the shape of an error is one. */
export function outcomeResult(name: string, outcome: Result<unknown>, warnings: readonly string[]): PseudoResult {
  const fault = outcome.ok ? errorShape(outcome.value) : failureMessage(outcome.error);
  if (fault !== undefined) {
    const invalid = !outcome.ok && outcome.error.code === 'VALIDATION_ERROR';
    const type = invalid ? 'INVALID_TOOL_PARAMS' : 'EXECUTION_FAILED';
    return errorResult({ message: fault, type }, '', warnings);
  }
  const value = outcome.ok ? outcome.value : undefined;
  const text =
    typeof value === 'string' ? value : value === undefined || value === null ? 'ok' : JSON.stringify(value, null, 2);
  return {
    llmContent: limit(text),
    returnDisplay: display(name, text),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function failureMessage({ code, message }: Failure): string {
  const denied = code === 'PERMISSION_DENIED' || code === 'PERMISSION_REQUIRED' || code === 'PHASE_FORBIDDEN';
  return denied && !message.startsWith('Permission denied') ? `Permission denied: ${message}` : message;
}

function errorShape(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = value as Readonly<Record<string, unknown>>; // an object, so its keys may be asked for
  const { success, ok, isError, status, error, message } = fields;
  const filled = error !== undefined && error !== null && error !== '' && error !== false;
  if (success !== false && ok !== false && isError !== true && status !== 'error' && !filled) return undefined;
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string')
    return error.message;
  if (typeof error === 'string' && error !== '') return error;
  return typeof message === 'string' ? message : JSON.stringify(value);
}

function display(name: string, text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  const more = lines.length > 1 ? ` (+${lines.length - 1} lines)` : '';
  return clip(`codebolt ${name}: ${firstLine(text)}`, maxDisplay - more.length) + more;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function clip(text: string, room = maxDisplay): string {
  return text.length <= room ? text : `${text.slice(0, room - 3)}...`;
}

function limit(text: string): string {
  if (text.length <= maxContent) return text;
  return `${text.slice(0, maxContent)}\n[cut here: ${text.length} characters in all; ask for a narrower part]`;
}
