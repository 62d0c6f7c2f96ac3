import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** How long a code for the browser counts, ms; a slow machine takes a minute to start one. */
const codeLifeMs = 5 * 60_000;

/** Who may talk to the loopback host: only a browser that came with the token or a code, from a page of this very address (S3). */
export interface Access {
  /** 256 bits, new at each start; for whoever reads what the host prints. */
  readonly token: string;
  readonly cookieName: string;
  /** A request with a foreign Host is refused: otherwise a page of any site could reach us by rebinding its name. */
  isOurHost(request: IncomingMessage): boolean;
  /** Absent on plain navigation; a foreign one is refused. */
  isOurOrigin(request: IncomingMessage, required: boolean): boolean;
  /** Opens the window once, soon: every user of the machine can read a browser's command line (S7). */
  newCode(): string;
  /** Whether the address brings the token, or a code, which is used up by it. */
  mayEnter(url: URL): boolean;
  hasCookie(request: IncomingMessage): boolean;
  cookie(): string;
}

export interface AccessDeps {
  /** Known once the server listens. */
  readonly port: () => number;
  /** Monotonic, ms. */
  readonly now: () => number;
}

export function createAccess({ port, now }: AccessDeps): Access {
  const token = secret();
  const cookieKey = secret();
  const codes = new Map<string, number>();
  const hosts = (): readonly string[] => [`127.0.0.1:${port()}`, `localhost:${port()}`];
  // Cookies do not keep ports apart: the value of one port opens no other, and never tells the token.
  const cookieValue = (): string => createHmac('sha256', cookieKey).update(String(port())).digest('base64url');
  const access: Access = {
    token,
    get cookieName() {
      return `vise-${port()}`;
    },
    isOurHost: ({ headers }) => headers.host !== undefined && hosts().includes(headers.host.toLowerCase()),
    isOurOrigin({ headers }, required) {
      if (headers.origin === undefined) return !required;
      return hosts().some((host) => headers.origin === `http://${host}`);
    },
    newCode() {
      const code = secret();
      codes.set(code, now() + codeLifeMs);
      return code;
    },
    mayEnter({ searchParams }) {
      const code = searchParams.get('code') ?? '';
      const until = codes.get(code);
      codes.delete(code);
      return (until !== undefined && now() <= until) || isSame(searchParams.get('token') ?? '', token);
    },
    hasCookie({ headers }) {
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
      return pairs.some(
        (pair) =>
          pair.startsWith(`${access.cookieName}=`) && isSame(pair.slice(access.cookieName.length + 1), cookieValue()),
      );
    },
    cookie: () => `${access.cookieName}=${cookieValue()}; HttpOnly; SameSite=Strict; Path=/`,
  };
  return access;
}

const secret = (): string => randomBytes(32).toString('base64url');

/** Compares without telling by its time how much was right. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
