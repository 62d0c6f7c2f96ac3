import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { Clock } from '../../base/clock.ts';
import { type Cause, networkCause } from '../base/causes.ts';
import { answerFault, type Fault, fault, shorten } from '../base/fault.ts';
import { isLoopback, shownAddress } from './address.ts';
import { type Body, decodedBody } from './decodedBody.ts';
import { httpModule } from './httpModule.ts';
import { Watchdog } from './watchdog.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Milliseconds without a byte, before and after the head of the answer, until the request is given up. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

export type Answer = { readonly ok: true; readonly body: Body } | { readonly ok: false; readonly fault: Fault };

export type Opened =
  | {
      readonly ok: true;
      readonly url: URL;
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Body;
      /** Whoever calls it watches the body itself. */
      readonly read: () => void;
      /** The beginning of the body, as much as an error needs. */
      readonly text: () => Promise<string>;
    }
  | { readonly ok: false; readonly fault: Fault };

/** The head of an answer, still watched. */
type Head =
  | { readonly ok: true; readonly response: IncomingMessage; readonly watchdog: Watchdog }
  | { readonly ok: false; readonly fault: Fault };

/** An error body is read up to here; the rest says nothing new. */
const maxErrorBytes = 64 * 1024;
const maxRedirects = 3;

/**
 * POST over node:http(s) with kept connections. HTTP(S)_PROXY and NO_PROXY are honoured, but never for this machine.
 * A redirect is followed only where method and key may go along: 307 and 308 on the same host.
 */
export class Transport {
  readonly #clock: Clock;
  readonly #env: Environment;
  readonly #agents = new Map<string, Agent>();
  #disposed = false;

  constructor(clock: Clock, env: Environment) {
    this.#clock = clock;
    this.#env = env;
  }

  async post(post: Post): Promise<Answer> {
    const head = await this.open(post);
    if (!head.ok) return head;
    const { status, headers, body } = head;
    if (status >= 200 && status < 300) {
      head.read(); // from here on the reader of the body watches
      return { ok: true, body };
    }
    return { ok: false, fault: answerFault(status, await head.text(), headers, this.#clock.now()) };
  }

  /** The answer whatever its status, redirects followed. Ends by `read` or `text`: until then silence ends it. */
  async open(post: Post): Promise<Opened> {
    let url = post.url;
    for (let hop = 0; ; hop += 1) {
      const answer = await this.#send(post, url);
      if (!answer.ok) return answer;
      const { response, watchdog } = answer;
      const status = response.statusCode ?? 0;
      const location = response.headers.location;
      const next = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      if (status < 300 || status >= 400 || !next) {
        const body = await decodedBody(response);
        return {
          ok: true,
          url,
          status,
          headers: response.headers,
          body,
          read: () => watchdog.dispose(),
          text: () => bodyText(body).finally(() => watchdog.dispose()),
        };
      }
      watchdog.dispose();
      response.destroy();
      const safe = next.host === url.host && (next.protocol === url.protocol || next.protocol === 'https:');
      if ((status === 307 || status === 308) && safe && hop < maxRedirects) {
        url = next;
        continue;
      }
      const hint = `the address redirects to ${shownAddress(next)}; set llm_base_url to where it leads`;
      return {
        ok: false,
        fault: { ...fault('PROVIDER_ERROR', `Provider HTTP ${status}: ${hint}`, false, { status }), cause: 'address' },
      };
    }
  }

  dispose(): void {
    this.#disposed = true;
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  async #send(post: Post, url: URL): Promise<Head> {
    const http = httpModule(url.protocol);
    if (post.signal.aborted || this.#disposed) return { ok: false, fault: lost('cancelled', false) };
    const agent = this.#agentFor(url, http.Agent);
    return await new Promise<Head>((resolve) => {
      let request: ClientRequest;
      try {
        request = http.request(url, {
          method: 'POST',
          agent,
          headers: { ...post.headers, 'content-length': Buffer.byteLength(post.body) },
        });
      } catch (bad) {
        // Node refuses header values with line breaks or other control characters here.
        const why = bad instanceof Error && 'code' in bad ? String(bad.code) : 'unusable';
        resolve({
          ok: false,
          fault: fault('CONFIG_INVALID', `The provider's headers cannot be sent (${why}).`, false),
        });
        return;
      }
      let idle = false;
      const watchdog = new Watchdog(this.#clock, post.idleMs, () => {
        idle = true;
        request.destroy();
      });
      const abort = () => request.destroy();
      post.signal.addEventListener('abort', abort, { once: true });
      request.once('close', () => {
        watchdog.dispose();
        post.signal.removeEventListener('abort', abort);
      });
      request.once('response', (response) => {
        watchdog.touch();
        resolve({ ok: true, response, watchdog });
      });
      // Stays for the whole life of the request: after the head the response reports the loss, but this one fires too.
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (idle) resolve({ ok: false, fault: silent(post.idleMs) });
        else
          resolve({
            ok: false,
            fault: lost(reasonOf(error), mayPass(error), request.reusedSocket, networkCause(codeOf(error))),
          });
      });
      request.end(post.body);
    });
  }

  #agentFor(url: URL, Kind: typeof Agent | typeof HttpsAgent): Agent {
    const direct = isLoopback(url);
    const key = `${url.protocol}${direct}`;
    let agent = this.#agents.get(key);
    if (!agent) {
      agent = new Kind({ keepAlive: true, proxyEnv: direct ? undefined : proxyVariables(this.#env) });
      this.#agents.set(key, agent);
    }
    return agent;
  }
}

/** A connection that was lost or never made. `stale`: it was a kept one that the server had closed meanwhile. */
export function lost(why: string, again: boolean, stale = false, cause: Cause = 'network'): Fault {
  return { ...fault('PROVIDER_UNREACHABLE', `Provider connection failed: ${why}`, again), stale, cause };
}

export function silent(idleMs: number): Fault {
  return lost(`no answer for ${Math.round(idleMs / 1_000)} s (LLM_TIMEOUT)`, true, false, 'silence');
}

/** Refused connections, unknown names and bad certificates do not heal within seconds; resets and busy networks do. */
function mayPass(error: NodeJS.ErrnoException): boolean {
  return /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EAI_AGAIN|ENETDOWN|ENETUNREACH|EHOSTUNREACH)$/.test(
    error.code ?? '',
  );
}

/** Several addresses of one name fail together, each with its own code. */
function codeOf(error: NodeJS.ErrnoException): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return (first instanceof Error && 'code' in first ? String(first.code) : error.code) ?? '';
}

export function reasonOf(error: NodeJS.ErrnoException): string {
  // Several addresses of one name fail together as an AggregateError without a message of its own.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const message = first instanceof Error ? first.message : error.message;
  return shorten(message || (error.code ?? 'unknown reason'));
}

function proxyVariables(env: Environment): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    const value = env[name] ?? env[name.toLowerCase()];
    if (value !== undefined && value !== '') found[name] = value;
  }
  return found;
}

async function bodyText(response: Body): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      size += piece.length;
      if (size >= maxErrorBytes) break;
    }
  } catch {
    // The connection went away while the error was being read: what came is enough.
  }
  return Buffer.concat(pieces).toString('utf8', 0, Math.min(size, maxErrorBytes));
}
