import type { Transport } from '@modelcontextprotocol/client';
import { boundedFetch } from './boundedFetch.ts';
import { GroupTransport } from './groupTransport.ts';
import type { LinkParts } from './linkState.ts';
import type { ServerEntry } from './mcpConfig.ts';
import type { Challenge } from './signIn.ts';

export type Sdk = typeof import('@modelcontextprotocol/client');

export interface TransportListeners {
  /** The server sent more than is read; the stream has ended. */
  onExcess(why: string): void;
  /** With each answer over HTTP: what the server wants of whoever it refused, undefined where it did not refuse. */
  onChallenge(challenge: Challenge | undefined): void;
  onStderr(text: string): void;
}

/** The way to a server: the pipes of a program, or HTTP with the tokens that the person has. */
export function serverTransport(
  { connection }: ServerEntry,
  { cwd, env, tokens }: Pick<LinkParts, 'cwd' | 'env' | 'tokens'>,
  sdk: Sdk,
  { onExcess, onChallenge, onStderr }: TransportListeners,
): Transport {
  if (connection.kind === 'stdio') {
    const { command, args } = connection;
    return new GroupTransport({ command, args, cwd, env: { ...env, ...connection.env }, onStderr }, sdk);
  }
  const { url, headers } = connection;
  const bounded = boundedFetch(onExcess);
  const requestInit = { headers: { ...headers } };
  // A key that the person has written down is not replaced by signing in.
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization'))
    return new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit, fetch: bounded });
  let refused: string | undefined;
  return new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit,
    authProvider: {
      token: async () => tokens.of(url)?.tokens.access_token,
      async onUnauthorized() {
        if (!(await tokens.renew(url, refused))) throw new sdk.UnauthorizedError('The person must sign in');
      },
    },
    fetch: async (address, options) => {
      const response = await bounded(address, options);
      if (response.status === 401)
        refused = new Headers(options?.headers).get('authorization')?.replace(/^Bearer /, '');
      onChallenge(challengeOf(response, sdk));
      return response;
    },
  });
}

function challengeOf(response: Response, { extractWWWAuthenticateParams }: Sdk): Challenge | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  return response.status === 401 || error === 'insufficient_scope' ? { resourceMetadataUrl, scope } : undefined;
}
