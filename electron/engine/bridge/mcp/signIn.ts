import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Clock } from '../../base/clock.ts';
import { describeError } from '../../base/log.ts';
import { authFetch, isPrivateAddress } from './authFetch.ts';
import { listenForRedirect, type RedirectListener } from './redirectListener.ts';
import type { ServerTokens } from './serverTokens.ts';

/** What a server said when it refused: where its metadata lies and what it wants. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
}

export interface SignInParts {
  readonly clock: Clock;
  readonly tokens: ServerTokens;
}

export interface SigningIn {
  /** The page that the person's browser must open. */
  readonly page: string;
  /** Ends when the person is signed in, was refused, waited too long or cancelled. Errors: PERMISSION_DENIED, TIMEOUT, CANCELLED, UNAVAILABLE. */
  readonly done: Promise<Result<void>>;
  cancel(): void;
}

/** So long a person may take at the page. */
const maxWaitMs = 10 * 60_000;

/**
 * Begins to sign in to a server over HTTP, as the MCP authorization specification has it: its server of tokens is found, this
 * program registered there, and the answer waited for on this computer. Errors: UNAVAILABLE, with the reason.
 */
export async function signIn(
  server: string,
  challenge: Challenge,
  { clock, tokens }: SignInParts,
): Promise<Result<SigningIn>> {
  if (!isPrivateAddress(new URL(server)))
    return fail('UNAVAILABLE', 'Signing in needs a server with an https address, or one on this computer');
  const sdk = await import('@modelcontextprotocol/client');
  const listener = await listenForRedirect();
  const attempt = createAttempt(listener);
  const options = { serverUrl: server, fetchFn: authFetch(server), ...challenge };
  try {
    await sdk.auth(attempt.provider, options);
  } catch (error) {
    listener.close();
    return fail('UNAVAILABLE', `Signing in did not begin: ${describeError(error)}`);
  }
  const page = attempt.page();
  if (page === undefined || !isPrivateAddress(page)) {
    listener.close();
    return fail('UNAVAILABLE', 'Signing in did not begin: the page to sign in at has no https address');
  }
  const finish = async (): Promise<Result<void>> => {
    const late = clock.after(maxWaitMs, () => listener.close());
    const answer = await listener.answer;
    late.dispose();
    if (!answer.ok) return answer;
    const { code, iss } = answer.value;
    try {
      await sdk.auth(attempt.provider, { ...options, authorizationCode: code, ...(iss !== undefined && { iss }) });
      const signedIn = attempt.signedIn();
      if (signedIn === undefined) return fail('UNAVAILABLE', 'Signing in brought no token');
      tokens.keep(server, signedIn);
      return ok(undefined);
    } catch (error) {
      return fail('UNAVAILABLE', `Signing in failed: ${describeError(error)}`);
    }
  };
  return ok({ page: page.href, done: finish(), cancel: () => listener.close() });
}

/** What the official library keeps while one person signs in once; nothing of it is kept before it is whole. */
function createAttempt({ address, state }: RedirectListener) {
  let client: StoredOAuthClientInformation | undefined;
  let tokens: StoredOAuthTokens | undefined;
  let discovery: OAuthDiscoveryState | undefined;
  let verifier = '';
  let page: URL | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl: address,
    clientMetadata: {
      client_name: 'Vise',
      redirect_uris: [address],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => client,
    saveClientInformation(given) {
      client = given;
    },
    tokens: () => undefined,
    saveTokens(given) {
      tokens = given;
    },
    redirectToAuthorization(url) {
      page = url;
    },
    saveCodeVerifier(given) {
      verifier = given;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(given) {
      discovery = given;
    },
    discoveryState: () => discovery,
  };
  return {
    provider,
    page: () => page,
    signedIn: () => tokens && client && discovery && { tokens, client, discovery },
  };
}
