import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Connection } from '../../shared/contract/connection.ts';
import { type Access, createAccess } from './access.ts';
import { refuseUpgrade } from './refuseUpgrade.ts';
import { safetyHeaders, sendFile } from './staticFiles.ts';
import { webSocketConnection } from './webSocketConnection.ts';

export interface LoopbackServer {
  /** With the token; opens the window, then a cookie stands for it. */
  readonly url: string;
  /** The same with a code that opens one window within five minutes: for a browser's command line. */
  urlOnce(): string;
  readonly port: number;
  close(): Promise<void>;
}

export interface LoopbackParts {
  /** The built window. */
  readonly folder: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly maxFrameBytes: number;
  readonly onConnection: (connection: Connection) => void;
}

/** Windows at once; more are nobody's. */
const maxWindows = 64;

/** A person's browser needs a few connections and milliseconds; what takes more would only hold them. */
const limits = { maxConnections: 256, headersTimeoutMs: 10_000, requestTimeoutMs: 30_000, checkMs: 2_000 };

/** The window over a loopback address, for machines without Electron. Listens on 127.0.0.1 only. Rejects when the port is taken. */
export async function startLoopbackServer(parts: LoopbackParts): Promise<LoopbackServer> {
  let port = 0;
  const access = createAccess({ port: () => port, now: () => performance.now() });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: parts.maxFrameBytes, perMessageDeflate: false });
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    (request, response) => {
      // Whatever a request does, it ends at most itself (S7).
      answer(parts.folder, access, request, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = limits.maxConnections;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const allowed =
      request.url === '/ws' &&
      access.isOurHost(request) &&
      access.isOurOrigin(request, true) &&
      access.hasCookie(request) &&
      sockets.clients.size < maxWindows;
    if (!allowed) {
      refuseUpgrade(socket);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => parts.onConnection(webSocketConnection(opened)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(parts.port, '127.0.0.1', resolve);
  });
  port = (server.address() as AddressInfo).port; // a TCP server has this kind of address
  return {
    url: `http://127.0.0.1:${port}/?token=${access.token}`,
    urlOnce: () => `http://127.0.0.1:${port}/?code=${access.newCode()}`,
    port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        sockets.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The address of a request; undefined for what is none, such as `//[`, which a page of any site can send. */
function readAddress(path = ''): URL | undefined {
  return path.startsWith('/') ? (URL.parse(`http://127.0.0.1${path}`) ?? undefined) : undefined;
}

async function answer(
  folder: string,
  access: Access,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, text: string): void => {
    response.writeHead(status, { ...safetyHeaders, 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
  };
  if (!access.isOurHost(request) || !access.isOurOrigin(request, false))
    return refuse(403, 'This address is not for you.');
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'Only GET is answered here.');
  const url = readAddress(request.url);
  if (url === undefined) return refuse(400, 'This address cannot be read.');
  if (access.mayEnter(url)) {
    // Token and code leave the address bar, the history and the referrer at once; a path could name another host.
    response.writeHead(303, { ...safetyHeaders, Location: '/', 'Set-Cookie': access.cookie() }).end();
    return;
  }
  if (!access.hasCookie(request))
    return refuse(401, 'Open the whole address that "vise serve" printed, with its token.');
  await sendFile(folder, url.pathname, response);
}
