import { fail, ok, type Result } from '../../../../shared/result.ts';

/** The address requests go to: `llm_base_url` is the API root or the whole `…/chat/completions`. CONFIG_INVALID if it is neither. */
export function chatAddress(baseUrl: string): Result<URL> {
  const address = parseAddress(baseUrl);
  if (!address.ok) return address;
  const url = address.value;
  // In one go: a path that was emptied first would be "/" again.
  const root = url.pathname.replace(/\/+$/, '');
  url.pathname = root.endsWith('/chat/completions') ? root : `${root}/chat/completions`;
  return ok(url);
}

export function parseAddress(baseUrl: string): Result<URL> {
  const text = baseUrl.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    return fail('CONFIG_INVALID', `llm_base_url must be an address like https://host/v1, not "${text.slice(0, 200)}".`);
  }
  url.hash = '';
  return ok(url);
}

/** Only this machine: no key is needed there and no proxy is asked. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname;
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

/** An address as it may be shown: without user, password and query, which can hold keys. */
export function shownAddress(url: URL): string {
  return url.origin + url.pathname;
}
