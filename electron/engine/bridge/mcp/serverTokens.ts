import { createHash } from 'node:crypto';
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { parseJson } from '../../base/boundedJson.ts';
import type { Disposable } from '../../base/disposer.ts';
import { createEmitter } from '../../base/emitter.ts';
import { isRecord } from '../../base/jsonFile.ts';
import type { Log } from '../../base/log.ts';
import type { Secrets } from '../../base/secrets.ts';
import { authFetch } from './authFetch.ts';

/** What signing in to one server brought: all that its tokens can be renewed with. */
export interface SignedIn {
  readonly tokens: StoredOAuthTokens;
  readonly client: StoredOAuthClientInformation;
  /** Where it was found that tokens come from. A server cannot send a refresh token elsewhere afterwards. */
  readonly discovery: OAuthDiscoveryState;
}

/** Tokens of MCP servers, kept where the keys of providers are; bound to the whole address of the server. */
export interface ServerTokens {
  of(url: string): SignedIn | undefined;
  /** Throws the system's error. */
  keep(url: string, signedIn: SignedIn): void;
  /** Throws the system's error. */
  forget(url: string): void;
  /**
   * Whether there is another token than the one that was refused: renewed now, or by somebody else meanwhile. One that
   * cannot be renewed any more is forgotten.
   */
  renew(url: string, refused: string | undefined): Promise<boolean>;
  /** Every token that was seen here, for taking them out of what is kept. */
  known(): readonly string[];
  /** Calls with the address of a server that was signed in to or out of. */
  onChange(listen: (url: string) => void): Disposable;
}

/** Of old tokens, which are in no use any more. */
const maxKnown = 200;

export function createServerTokens(secrets: Secrets, log: Log): ServerTokens {
  const changed = createEmitter<string>((error) => log.warn('a listener of the tokens failed', error));
  const seen = new Set<string>();
  const renewing = new Map<string, Promise<boolean>>();

  const note = (signedIn: SignedIn): SignedIn => {
    const { tokens, client } = signedIn;
    for (const secret of [tokens.access_token, tokens.refresh_token, tokens.id_token, client.client_secret])
      if (typeof secret === 'string') seen.add(secret);
    for (const old of seen) if (seen.size > maxKnown) seen.delete(old);
    return signedIn;
  };
  const of = (url: string): SignedIn | undefined => {
    const text = secrets.get(secretName(url));
    const kept = text === undefined ? undefined : parseJson(text);
    return kept?.ok && isSignedIn(kept.value) ? note(kept.value) : undefined;
  };
  const keep = (url: string, signedIn: SignedIn): void => {
    secrets.set(secretName(url), JSON.stringify(note(signedIn)));
  };

  async function renewNow(url: string, refused: string | undefined): Promise<boolean> {
    const kept = of(url);
    if (kept === undefined) return false;
    if (kept.tokens.access_token !== refused) return true;
    if (kept.tokens.refresh_token === undefined) return false;
    const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = kept.discovery;
    const sdk = await import('@modelcontextprotocol/client');
    try {
      const tokens = await sdk.refreshAuthorization(authorizationServerUrl, {
        metadata: authorizationServerMetadata,
        clientInformation: kept.client,
        refreshToken: kept.tokens.refresh_token,
        resource: resourceMetadata?.resource,
        fetchFn: authFetch(url),
      });
      keep(url, { ...kept, tokens: { ...kept.tokens, ...tokens } });
      return true;
    } catch (error) {
      const latest = of(url);
      // Another process was first.
      if (latest && latest.tokens.access_token !== refused) return true;
      // A server of tokens that cannot be reached may take it later.
      if (error instanceof sdk.OAuthError) secrets.delete(secretName(url));
      return false;
    }
  }

  return {
    of,
    keep(url, signedIn) {
      keep(url, signedIn);
      changed.emit(url);
    },
    forget(url) {
      secrets.delete(secretName(url));
      changed.emit(url);
    },
    renew(url, refused) {
      // A refresh token often counts once: two that renew at the same time would end each other.
      const running = renewing.get(url) ?? renewNow(url, refused).finally(() => renewing.delete(url));
      renewing.set(url, running);
      return running;
    },
    known: () => [...seen],
    onChange: (listen) => changed.on(listen),
  };
}

/** Addresses may hold what is private. */
function secretName(url: string): string {
  return `mcp ${createHash('sha256').update(url).digest('hex').slice(0, 32)}`;
}

function isSignedIn(value: unknown): value is SignedIn {
  if (!isRecord(value)) return false;
  const { tokens, client, discovery } = value;
  return (
    isRecord(tokens) &&
    typeof tokens['access_token'] === 'string' &&
    isRecord(client) &&
    typeof client['client_id'] === 'string' &&
    isRecord(discovery) &&
    typeof discovery['authorizationServerUrl'] === 'string'
  );
}
