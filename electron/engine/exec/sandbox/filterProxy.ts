import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';

export interface FilterRules {
  /** Read at each request: a change of the settings holds at once. */
  readonly allows: (host: string) => boolean;
  readonly dial: (host: string, port: number) => Promise<Socket>;
}

/** Headers that concern one hop only (RFC 9110, 7.6.1), and the proxy's own. */
const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);
const maxConnections = 256;

/**
 * An HTTP proxy that lets through what the rules allow: CONNECT (TLS is not opened, so the name is what the client asks for)
 * and plain requests with a whole address. Anything else is answered with 403, and nothing of it leaves.
 */
export function createFilterProxy({ allows, dial }: FilterRules): Server {
  const server = createServer((incoming, response) => {
    forward(incoming, response).catch(() => response.destroy());
  });
  server.maxConnections = maxConnections;
  server.on('connect', (incoming, client, head) => void tunnel(incoming, client, head));
  server.on('clientError', (_error, client) => client.destroy());

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : undefined;
    if (url?.protocol !== 'http:') return refuse(response, 'only plain HTTP with a whole address is forwarded');
    const host = bare(url.hostname);
    if (!allows(host)) return refuse(response, notListed(host));
    let upstream: Socket;
    try {
      upstream = await dial(host, Number(url.port || 80));
    } catch (error) {
      response.writeHead(502).end(`vise: ${String(error)}\n`);
      return;
    }
    if (response.destroyed) return void upstream.destroy(); // nobody waits any more
    const outgoing = request(
      {
        createConnection: () => upstream,
        method: incoming.method,
        path: url.pathname + url.search,
        // The host that was checked is the host that is asked, whatever the client says in its header.
        headers: { ...endToEnd(incoming.headers), host: url.host, connection: 'close' },
      },
      (answer) => {
        const { statusCode = 0 } = answer;
        // Node parses such a status, and throws when it is to write it.
        if (statusCode < 200) return void response.destroy();
        response.writeHead(statusCode, endToEnd(answer.headers));
        // An answer that is cut short is cut short for the client as well.
        pipeline(answer, response, () => undefined);
      },
    );
    outgoing.on('error', () => response.destroy());
    outgoing.on('upgrade', (_answer, socket) => {
      socket.destroy();
      response.destroy();
    });
    response.on('close', () => upstream.destroy());
    incoming.pipe(outgoing);
  }

  async function tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    const target = URL.canParse(`http://${incoming.url}`) ? new URL(`http://${incoming.url}`) : undefined;
    const host = bare(target?.hostname ?? '');
    if (target === undefined || !allows(host)) {
      client.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\nvise: ${notListed(host)}\n`);
      return;
    }
    try {
      const upstream = await dial(host, Number(target.port || 80)); // URL drops the port 80, and only that
      upstream.on('error', () => client.destroy());
      upstream.on('close', () => client.destroy());
      client.on('close', () => upstream.destroy());
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    } catch (error) {
      client.end(`HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\nvise: ${String(error)}\n`);
    }
  }

  return server;
}

/** Without what concerns one hop, also what the sender names as such. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.has(name) && !named.includes(name)));
}

function refuse(response: ServerResponse, why: string): void {
  response.writeHead(403, { connection: 'close' }).end(`vise: ${why}\n`);
}

function notListed(host: string): string {
  return `${host} is not on the sandbox's list of hosts`;
}

/** An IPv6 address stands in brackets in an address, and without them in a rule. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
