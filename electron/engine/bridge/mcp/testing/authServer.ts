import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { remoteServer } from './remoteServer.ts';

/** How the server answers from now on. */
export interface AuthBehaviour {
  /** `deny`: the person says no. `otherState`, `noState`: somebody else answers. */
  page?: 'allow' | 'deny' | 'otherState' | 'noState';
  /** The resource that its metadata names; its own when absent. */
  resource?: string;
  /** The page to sign in at, in the metadata. */
  authorize?: string;
  refreshes?: boolean;
}

/** An MCP server behind a server of tokens, both on this computer, as the MCP authorization specification has them. */
export interface AuthServer {
  /** The address of the MCP server. */
  readonly url: string;
  readonly behaviour: AuthBehaviour;
  /** Grant types asked for, in order; `register` for a registration, `refused` for a call without a token that counts. */
  readonly log: readonly string[];
  /** Every token given. */
  readonly given: readonly string[];
  /** The tokens to call with count no more; those to renew them do. */
  expire(): void;
  /** No token counts any more. */
  revoke(): void;
  close(): Promise<void>;
}

export async function startAuthServer(behaviour: AuthBehaviour = {}): Promise<AuthServer> {
  const log: string[] = [];
  const given: string[] = [];
  const codes = new Map<string, { readonly challenge: string; readonly redirect: string }>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const redirects = new Set<string>();
  const handler = createMcpHandler(() => remoteServer());
  let base = '';

  const give = (): object => {
    const [access_token, refresh_token] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    access.add(access_token);
    refresh.add(refresh_token);
    given.push(access_token, refresh_token);
    return { access_token, refresh_token, token_type: 'Bearer', expires_in: 3600 };
  };
  const token = (form: URLSearchParams): object | undefined => {
    const type = form.get('grant_type') ?? '';
    log.push(type);
    if (type === 'refresh_token')
      return behaviour.refreshes !== false && refresh.delete(form.get('refresh_token') ?? '') ? give() : undefined;
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? ''); // counts once
    const verified = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return code?.challenge === verified && code.redirect === form.get('redirect_uri') ? give() : undefined;
  };
  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const redirect = query.get('redirect_uri') ?? '';
    if (!redirects.has(redirect) || query.get('code_challenge_method') !== 'S256')
      return void response.writeHead(400).end();
    const back = new URL(redirect);
    const { page = 'allow' } = behaviour;
    if (page !== 'noState') back.searchParams.set('state', page === 'otherState' ? 'x' : (query.get('state') ?? ''));
    if (page === 'deny') back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect });
      back.searchParams.set('code', code);
      back.searchParams.set('iss', base);
    }
    response.writeHead(302, { location: back.href }).end();
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', base);
    const json = (value: object, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    switch (pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json({ resource: behaviour.resource ?? `${base}/mcp`, authorization_servers: [base] });
      case '/.well-known/oauth-authorization-server':
        return json({
          issuer: base,
          authorization_endpoint: behaviour.authorize ?? `${base}/authorize`,
          token_endpoint: `${base}/token`,
          registration_endpoint: `${base}/register`,
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          authorization_response_iss_parameter_supported: true,
        });
      case '/register': {
        log.push('register');
        const asked = JSON.parse(await textOf(request)) as { readonly redirect_uris: readonly string[] };
        for (const redirect of asked.redirect_uris) redirects.add(redirect);
        return json({ ...asked, client_id: randomUUID() }, 201);
      }
      case '/authorize':
        return authorize(searchParams, response);
      case '/token': {
        const tokens = token(new URLSearchParams(await textOf(request)));
        return tokens ? json(tokens) : json({ error: 'invalid_grant' }, 400);
      }
      case '/mcp':
        return mcp(request, response);
      default:
        response.writeHead(404).end();
    }
  }
  async function mcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bearer = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!access.has(bearer)) {
      log.push('refused');
      const metadata = `${base}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
      return;
    }
    const body = request.method === 'POST' ? await textOf(request) : undefined;
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const asked = new Request(`${base}/mcp`, { method: request.method ?? 'GET', headers, body: body ?? null });
    const answered = await handler.fetch(asked);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    for await (const piece of answered.body ?? []) response.write(piece);
    response.end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo; // it listens
  base = `http://127.0.0.1:${port}`;
  return {
    url: `${base}/mcp`,
    behaviour,
    log,
    given,
    expire: () => access.clear(),
    revoke() {
      access.clear();
      refresh.clear();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
