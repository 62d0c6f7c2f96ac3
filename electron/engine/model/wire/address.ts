import type { DialectName } from '../../../../shared/model/dialect.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';

const endings: Readonly<Record<DialectName, string>> = {
  chat: '/chat/completions',
  responses: '/responses',
  messages: '/messages',
};

/**
 * The address requests go to: `llm_base_url` is the API root or the whole address of one dialect. Roots without a path
 * are those that the makers' own packages take. CONFIG_INVALID if it is neither.
 */
export function requestAddress(baseUrl: string, dialect: DialectName): Result<URL> {
  const root = apiRoot(baseUrl);
  if (!root.ok) return root;
  const url = root.value;
  // In one go: a path that was emptied first would be "/" again.
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = `${path === '' ? bareRoot(url, dialect) : path}${endings[dialect]}`;
  return ok(url);
}

/** The API root, without the ending of a dialect. */
export function apiRoot(baseUrl: string): Result<URL> {
  const address = parseAddress(baseUrl);
  if (!address.ok) return address;
  const url = address.value;
  const path = url.pathname.replace(/\/+$/, '');
  const ending = Object.values(endings).find((one) => path.endsWith(one)) ?? '';
  url.pathname = path.slice(0, path.length - ending.length);
  return ok(url);
}

/** The dialect that an address names by its ending. */
export function namedDialect(baseUrl: string): DialectName | undefined {
  const address = parseAddress(baseUrl);
  const path = address.ok ? address.value.pathname.replace(/\/+$/, '') : '';
  return (Object.keys(endings) as DialectName[]).find((name) => path.endsWith(endings[name]));
}

function bareRoot(url: URL, dialect: DialectName): string {
  if (isAzure(url)) return '/openai/v1';
  return dialect === 'messages' ? '/v1' : '';
}

/** A resource of Azure, whose keys and deployments are its own. */
export function isAzure({ hostname }: URL): boolean {
  return /\.(?:openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/.test(hostname);
}

export function parseAddress(baseUrl: string): Result<URL> {
  const text = baseUrl.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    return fail(
      'CONFIG_INVALID',
      `The address of a provider (--base-url, llm_base_url) is one like https://host/v1, not "${text.slice(0, 200)}".`,
    );
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
