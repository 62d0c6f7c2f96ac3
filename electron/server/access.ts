import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may talk to the loopback host: only a browser that came with the token, from a page of this very address (S3). */
export interface Access {
  /** 256 bits, new at each start. */
  readonly token: string;
  readonly cookieName: string;
  /** A request with a foreign Host is refused: otherwise a page of any site could reach us by rebinding its name. */
  isOurHost(request: IncomingMessage): boolean;
  /** Absent on plain navigation; a foreign one is refused. */
  isOurOrigin(request: IncomingMessage, required: boolean): boolean;
  hasToken(url: URL): boolean;
  hasCookie(request: IncomingMessage): boolean;
  cookie(): string;
}

export function createAccess(port: () => number): Access {
  const token = randomBytes(32).toString('base64url');
  const hosts = (): readonly string[] => [`127.0.0.1:${port()}`, `localhost:${port()}`];
  const access: Access = {
    token,
    // Cookies do not keep ports apart, so two hosts on one machine need two names.
    get cookieName() {
      return `vise-${port()}`;
    },
    isOurHost: ({ headers }) => headers.host !== undefined && hosts().includes(headers.host.toLowerCase()),
    isOurOrigin({ headers }, required) {
      if (headers.origin === undefined) return !required;
      return hosts().some((host) => headers.origin === `http://${host}`);
    },
    hasToken: (url) => same(url.searchParams.get('token') ?? '', token),
    hasCookie({ headers }) {
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
      return pairs.some(
        (pair) => pair.startsWith(`${access.cookieName}=`) && same(pair.slice(access.cookieName.length + 1), token),
      );
    },
    cookie: () => `${access.cookieName}=${token}; HttpOnly; SameSite=Strict; Path=/`,
  };
  return access;
}

/** Compares without telling by its time how much was right. */
function same(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
