import type { ReplyError } from '../base/port.ts';

export interface TextCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A reply as the engine understands it. With `error` there are no calls: nothing runs if any block is bad. */
export interface ReadReply {
  readonly content: string;
  readonly reasoning?: string;
  readonly calls: readonly TextCall[];
  readonly error?: ReplyError;
  /** Where exactly the error is, for the retry message. */
  readonly detail?: string;
  /** What was understood although it was not written as asked. */
  readonly repairs?: readonly string[];
}

export type Dialect = 'strict' | 'tolerant';

/** A call that was read, or why not. */
export type CallReading =
  | { readonly ok: true; readonly call: TextCall; readonly repairs: readonly string[] }
  | { readonly ok: false; readonly error: ReplyError; readonly detail?: string };

export function bad(error: ReplyError, detail?: string): CallReading {
  return detail === undefined ? { ok: false, error } : { ok: false, error, detail };
}

export type PlainObject = Readonly<Record<string, unknown>>;

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
