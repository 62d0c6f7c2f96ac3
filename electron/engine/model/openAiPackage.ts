import OpenAI, { APIConnectionError, APIError } from 'openai';
import { answerFault, type Fault, fault } from './base/fault.ts';
import type { Body } from './wire/decodedBody.ts';
import type { Answer, Opened, Post, Transport } from './wire/transport.ts';

/** Longer than any wait of ours: silence, aborts and cut streams are watched by the transport. */
const noTimeoutMs = 24 * 60 * 60 * 1_000;

/**
 * Sends a request through the maker's own package: it addresses and signs the request and types the errors. Retries,
 * waiting and the network stay ours, its `fetch` is the transport, and the body is read by our reader.
 */
export async function postThroughPackage(
  apiKey: string,
  post: Post,
  transport: Transport,
  nowMs: number,
): Promise<Answer> {
  let body: Body | undefined;
  /** The package keeps of an error what stands below `error`; some gateways put their words elsewhere. */
  let said = '';
  const fetchOver = async (address: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers).entries());
    const opened = await transport.open({
      ...post,
      url: new URL(address instanceof Request ? address.url : address),
      headers,
    });
    if (!opened.ok) throw new TransportError(opened.fault);
    if (opened.status >= 200 && opened.status < 300) {
      ({ body } = opened);
      opened.read();
    }
    const text = async (): Promise<string> => {
      said = await opened.text();
      return said;
    };
    return responseOf({ ...opened, text });
  };
  const { url } = post;
  const path = /\/(?:chat\/completions|responses)$/.exec(url.pathname)?.[0] ?? '';
  const client = new OpenAI({
    apiKey,
    baseURL: `${url.origin}${url.pathname.slice(0, url.pathname.length - path.length)}`,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: noTimeoutMs,
    logLevel: 'off',
    fetch: fetchOver,
  });
  try {
    await client
      .post(path, {
        body: Buffer.isBuffer(post.body) ? post.body : Buffer.from(post.body),
        headers: post.headers,
        query: Object.fromEntries(url.searchParams),
        signal: post.signal,
      })
      .asResponse();
  } catch (error) {
    return { ok: false, fault: faultOf(error, said, nowMs) };
  }
  return body ? { ok: true, body } : { ok: false, fault: fault('INTERNAL', 'The package sent no request.', false) };
}

/** Carries our own fault through the package, which wraps what its `fetch` throws. */
class TransportError extends Error {
  readonly fault: Fault;

  constructor(item: Fault) {
    super(item.failure.message);
    this.fault = item;
  }
}

function faultOf(error: unknown, said: string, nowMs: number): Fault {
  const cause = error instanceof APIConnectionError ? error.cause : error;
  if (cause instanceof TransportError) return cause.fault;
  if (error instanceof APIError && typeof error.status === 'number') {
    const given: unknown = error.headers;
    const headers = given instanceof Headers ? Object.fromEntries(given.entries()) : {};
    return answerFault(error.status, said, headers, nowMs);
  }
  const why = error instanceof Error ? error.message : String(error);
  return fault('PROVIDER_UNREACHABLE', `Provider connection failed: ${why}`, false);
}

/** What the package looks at. A real `Response` would load Node's own fetch with all that hangs on it. */
function responseOf(opened: Opened & { readonly ok: true }): Response {
  const { status, url, headers, text } = opened;
  const shown = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) shown.set(name, String(value));
  const answer: Pick<Response, 'ok' | 'status' | 'statusText' | 'url' | 'headers' | 'body' | 'text' | 'redirected'> = {
    ok: status >= 200 && status < 300,
    status,
    statusText: '',
    url: url.href,
    headers: shown,
    body: null,
    redirected: false,
    text,
  };
  return answer as Response; // the package reads nothing else of it with `asResponse` (a test holds it to that)
}
