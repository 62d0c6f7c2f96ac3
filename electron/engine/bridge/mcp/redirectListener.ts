import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fail, ok, type Result } from '../../../../shared/result.ts';

export interface Redirected {
  readonly code: string;
  /** Who gave it, where the server says so. */
  readonly iss: string | undefined;
}

/** Waits on this computer alone for the one answer that a browser brings back from signing in. */
export interface RedirectListener {
  /** Where the browser is sent back to. */
  readonly address: string;
  /** What must come back with the answer. */
  readonly state: string;
  /** The first answer with the right state; then nobody listens any more. Errors: PERMISSION_DENIED (refused there), CANCELLED. */
  readonly answer: Promise<Result<Redirected>>;
  close(): void;
}

const path = '/callback';
const maxReason = 300;

export async function listenForRedirect(): Promise<RedirectListener> {
  const state = randomBytes(32).toString('base64url');
  const answered = Promise.withResolvers<Result<Redirected>>();
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000 }, (request, response) => {
    const { port } = server.address() as AddressInfo; // it listens
    const got = readRedirect(request, `127.0.0.1:${port}`, state);
    respond(response, got === undefined ? 400 : 200, got?.ok === true);
    if (got === undefined) return;
    answered.resolve(got);
    close();
  });
  const close = (): void => {
    server.close();
    server.closeIdleConnections();
    answered.resolve(fail('CANCELLED', 'Signing in was cancelled'));
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const { port } = server.address() as AddressInfo; // it listens
  return { address: `http://127.0.0.1:${port}${path}`, state, answer: answered.promise, close };
}

/** Undefined for what is not the answer that is waited for. */
function readRedirect(request: IncomingMessage, host: string, state: string): Result<Redirected> | undefined {
  const url = URL.parse(`http://${host}${request.url ?? ''}`);
  // A page of another name that leads here says its own name.
  if (request.method !== 'GET' || request.headers.host !== host || url?.pathname !== path) return undefined;
  if (!isSame(url.searchParams.get('state') ?? '', state)) return undefined;
  const refused = url.searchParams.get('error');
  if (refused !== null) {
    const why = url.searchParams.get('error_description');
    const said = [refused, why].filter((part) => part !== null && part !== '').join(': ');
    return fail('PERMISSION_DENIED', `Signing in was refused: ${said.slice(0, maxReason)}`);
  }
  const code = url.searchParams.get('code');
  if (code === null || code === '') return undefined;
  return ok({ code, iss: url.searchParams.get('iss') ?? undefined });
}

function isSame(given: string, wanted: string): boolean {
  return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
}

function respond(response: ServerResponse, status: number, isGood: boolean): void {
  const text = isGood
    ? 'Vise has the answer. You can close this page.<br>Vise 已收到答复，可以关闭此页面。'
    : 'Vise was not signed in. You can close this page.<br>Vise 未登录，可以关闭此页面。';
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(`<!doctype html><meta charset="utf-8"><title>Vise</title><p>${text}</p>`);
}
