import type { ErrorCode } from '../../../../shared/errorCode.ts';
import type { Failure } from '../../../../shared/result.ts';
import { type Cause, causeOf } from './causes.ts';
import { isObject, numberOf, parseJson, textOf } from './json.ts';

/** Why one attempt did not give a reply, and whether another one may. */
export interface Fault {
  readonly failure: Failure;
  readonly again: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly waitMs?: number;
  readonly cause?: Cause;
  /** All that the server said, where the failure tells its sentence alone: what a refusal teaches stands in codes too. */
  readonly said?: string;
  /** A kept connection was found closed: the request never reached the server. */
  readonly stale?: boolean;
}

const shownChars = 2_000;

export function fault(code: ErrorCode, message: string, again: boolean, details?: unknown): Fault {
  return { failure: details === undefined ? { code, message } : { code, message, details }, again };
}

/** The message inside an error body, in the shapes that servers use; undefined when the value is not an error. */
export function errorMessageOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const error = value.error;
  if (typeof error === 'string') return error;
  if (isObject(error))
    return textOf(error.message) ?? textOf(error.detail) ?? JSON.stringify(error).slice(0, shownChars);
  if (value.object === 'error' || value.type === 'error') return textOf(value.message) ?? 'unnamed error';
  return undefined;
}

/** An error object in the middle of a stream or in a 200 body. What the server calls its own trouble may pass. */
export function streamedFault(value: unknown): Fault | undefined {
  const message = errorMessageOf(value);
  if (message === undefined || !isObject(value)) return undefined;
  const error = isObject(value.error) ? value.error : value;
  const status = numberOf(error.code) ?? numberOf(error.status) ?? numberOf(Number.parseInt(String(error.code), 10));
  if (status !== undefined && status >= 400 && status < 600) return statusFault(status, message);
  const kind = `${textOf(error.type) ?? ''} ${textOf(error.code) ?? ''}`;
  const own = Object.entries(ownStatus).find(([word]) => kind.includes(word))?.[1] ?? 400;
  const cause = causeOf(own, `${kind} ${message}`);
  const code = codeOf(own);
  return {
    ...fault(code, `Provider error: ${shorten(message)}`, mayPass(own) && cause !== 'credit', { status: own }),
    cause,
    said: `${kind} ${message}`,
    waitMs: waitIn(cause, message),
  };
}

/** An HTTP status that is not a success. `body` is the text of the answer. */
export function statusFault(status: number, body: string): Fault {
  const text = shorten(sentenceIn(body));
  const message = text === '' ? `Provider HTTP ${status}` : `Provider HTTP ${status}: ${text}`;
  const cause = causeOf(status, body.slice(0, shownChars * 2));
  // What does not fit, or is not paid, fits no better the next time.
  const again = mayPass(status) && cause !== 'overflow' && cause !== 'credit';
  const said = `Provider HTTP ${status}: ${shorten(body)}`;
  return { ...fault(codeOf(status), message, again, { status }), cause, said, waitMs: waitIn(cause, text) };
}

/** OpenAI says in words alone how long to wait where the error comes within a stream. */
function waitIn(cause: Cause, message: string): number | undefined {
  const span = /try again in ((?:\d+(?:\.\d+)?(?:ms|[smh]))+)/i.exec(message)?.[1];
  return cause === 'rate' && span !== undefined ? spanMs(span) : undefined;
}

/** The sentence in the JSON of an error body, with what a router was told by the provider behind it; else the body. */
function sentenceIn(body: string): string {
  const parsed = parseJson(body);
  const value: unknown = Array.isArray(parsed) ? parsed[0] : parsed; // Google wraps its errors
  if (!isObject(value)) return body;
  const sentence = errorMessageOf(value) ?? textOf(value.message) ?? textOf(value.detail) ?? detailsIn(value.detail);
  const metadata = isObject(value.error) && isObject(value.error.metadata) ? value.error.metadata : {};
  const raw = textOf(metadata.raw);
  return sentence === undefined ? body : raw === undefined ? sentence : `${sentence}: ${sentenceIn(raw)}`;
}

function codeOf(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'PROVIDER_AUTH';
  return status === 429 ? 'PROVIDER_RATE_LIMITED' : 'PROVIDER_ERROR';
}

function mayPass(status: number): boolean {
  return status >= 500 || [408, 409, 425, 429].includes(status);
}

/** The status that an error inside a stream would have had before it. */
const ownStatus: Readonly<Record<string, number>> = {
  rate_limit: 429,
  overloaded: 529,
  server_error: 500,
  api_error: 500,
  unavailable: 503,
  timeout: 504,
  authentication: 401,
  permission: 403,
  not_found: 404,
  request_too_large: 413,
  billing: 402,
};

/** One line, not too long; of a web page only its title, the rest is noise in a message. */
export function shorten(body: string): string {
  if (/^\s*</.test(body)) {
    const title = /<title[^>]*>([^<]{1,300})/i.exec(body.slice(0, 20_000))?.[1]?.trim();
    return title === undefined ? '(a web page)' : `(a web page: ${title})`;
  }
  const line = body
    .slice(0, shownChars * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > shownChars ? `${line.slice(0, shownChars)}…` : line;
}

/** The connection ended before the reply did. */
export function cutFault(why = 'the stream ended before the reply did'): Fault {
  return fault('PROVIDER_UNREACHABLE', `Provider connection failed: ${why}`, true);
}

export function emptyFault(): Fault {
  return fault('PROVIDER_BAD_RESPONSE', 'The provider sent an empty answer.', true);
}

/** The answer is none of this wire format. */
export function unexpected(body: string): Fault {
  const isPage = /^\s*</.test(body);
  const message = `Unexpected response: ${shorten(body) || '(nothing)'}`;
  return { ...fault('PROVIDER_BAD_RESPONSE', message, false), cause: isPage ? 'address' : 'request' };
}

/** Removes what must not be shown (keys) from texts that came from outside: some servers repeat the key they refuse. */
export function withoutSecrets(item: Fault, secrets: readonly string[]): Fault {
  let message = item.failure.message;
  for (const secret of secrets) if (secret.length >= 4) message = message.replaceAll(secret, '***');
  return message === item.failure.message ? item : { ...item, failure: { ...item.failure, message } };
}

/** What FastAPI finds wrong with a request: a list of places and sentences. */
function detailsIn(given: unknown): string | undefined {
  const found = (Array.isArray(given) ? (given as readonly unknown[]) : []).flatMap((item) =>
    isObject(item) && textOf(item.msg) !== undefined ? [`${String(item.loc)}: ${String(item.msg)}`] : [],
  );
  return textOf(found.join('; '));
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An HTTP answer that is not a success, and how long its headers ask to wait. */
export function answerFault(status: number, body: string, headers: Headers, nowMs: number): Fault {
  const refused = statusFault(status, body);
  return { ...refused, waitMs: retryAfterMs(headers, nowMs) ?? refused.waitMs };
}

/**
 * Milliseconds from `nowMs` until the server wants to be asked again: `retry-after-ms`, `Retry-After` (seconds or a date),
 * else when the last of the limits that are used up begins anew. Undefined when nothing readable says so.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const exact = Number.parseFloat(String(headers['retry-after-ms'] ?? ''));
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = String(headers['retry-after'] ?? '').trim();
  if (value !== '') return spanMs(value) ?? untilMs(value, nowMs);
  const resets = Object.entries(headers).flatMap(([name, left]) => {
    if (!/ratelimit/.test(name) || !name.includes('remaining') || String(left).trim() !== '0') return [];
    const reset = String(headers[name.replace('remaining', 'reset')] ?? '').trim();
    return [spanMs(reset) ?? untilMs(reset, nowMs)].filter((ms) => ms !== undefined);
  });
  return resets.length === 0 ? undefined : Math.max(...resets);
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `8`, `8.64s`, `6m0s` (OpenAI, Groq), `120ms`. */
function spanMs(text: string): number | undefined {
  if (/^\d{1,6}(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  return Math.ceil(parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitsMs[unit] ?? 0), 0));
}

function untilMs(date: string, nowMs: number): number | undefined {
  const at = Date.parse(date);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
