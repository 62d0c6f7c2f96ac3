import { isMetadataHost } from '../../base/metadataHost.ts';
import { boundedFetch } from './boundedFetch.ts';

/** One request to a server of tokens. */
const maxMs = 30_000;

/** Whether what is private may go there: encrypted, or without leaving this computer. */
export function isPrivateAddress(url: URL): boolean {
  return url.protocol === 'https:' ? !isMetadataHost(url.hostname) : url.protocol === 'http:' && isLoopback(url);
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';
}

/**
 * `fetch` for signing in to a server, which names the addresses itself: encrypted ones, those of this computer only where the
 * server is here as well, and none that another sends it to.
 */
export function authFetch(server: string): typeof fetch {
  const here = isLoopback(new URL(server));
  const bounded = boundedFetch(() => undefined);
  return async (address, options) => {
    const url = new URL(address instanceof Request ? address.url : address);
    if (!isPrivateAddress(url) || (isLoopback(url) && !here))
      throw new Error(`${url.origin} is no place to sign in at: it must be an https address`);
    return bounded(url, { ...options, redirect: 'error', signal: AbortSignal.timeout(maxMs) });
  };
}
