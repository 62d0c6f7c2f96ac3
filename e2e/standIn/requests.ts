import type * as Electron from 'electron';

type Handler = Parameters<Electron.Protocol['handle']>[1];
type BeforeRequest = (details: { readonly url: string }, answer: (response: Electron.CallbackResponse) => void) => void;

interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

const handlers = new Map<string, Handler>();
const privileged = new Set<string>();
let beforeRequest: BeforeRequest | undefined;

export const protocol: Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'> = {
  registerSchemesAsPrivileged(schemes) {
    for (const { scheme } of schemes) privileged.add(scheme);
  },
  handle(scheme, handler) {
    if (!privileged.has(scheme)) throw new Error(`The scheme "${scheme}" was not announced before the app was ready.`);
    handlers.set(scheme, handler);
  },
};

export function setBeforeRequest(listen: BeforeRequest): void {
  beforeRequest = listen;
}

/** Chromium knows no scheme of ours: `app://HOST/` is `http://HOST.app.localhost/`, which is a secure origin too. */
export function toWeb(url: string): string {
  return url.replace(/^app:\/\/([^/]+)/, 'http://$1.app.localhost');
}

export function toApp(url: string): string {
  return url.replace(/^http:\/\/([^/]+)\.app\.localhost/, 'app://$1');
}

/** What the app's own handler answers; undefined when the request is blocked. Nothing goes to the network. */
export async function answerRequest({ url, method, headers }: Request): Promise<object | undefined> {
  const blocked = await new Promise<boolean>((resolve) => {
    if (beforeRequest === undefined) return resolve(false);
    beforeRequest({ url }, ({ cancel }) => resolve(cancel === true));
  });
  const handler = handlers.get(new URL(url).protocol.slice(0, -1));
  if (blocked || handler === undefined) return undefined;
  // The scheme is not one that Node's Request refuses, so the handler sees what it would in Electron.
  const response = await handler(new Request(url, { method, headers }));
  return {
    responseCode: response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  };
}
