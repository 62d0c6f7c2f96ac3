import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ServerReply, writesOf } from '../../e2e/modelServer.ts';

/**
 * Plays replies, one a request, and notes when each request was here whole and when each reply was on its way whole. It
 * does nothing else, so that what it takes stays small beside what is measured: a request is counted, not read.
 */
export interface ReplyServer {
  /** The API root, `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  /** By `performance.now()`. */
  readonly requestsAt: readonly number[];
  readonly repliesAt: readonly number[];
  readonly requestBytes: readonly number[];
  close(): Promise<void>;
}

export async function startReplyServer(replies: readonly ServerReply[]): Promise<ReplyServer> {
  const bodies = replies.map(writesOf);
  const requestsAt: number[] = [];
  const repliesAt: number[] = [];
  const requestBytes: number[] = [];

  const answer = async (pieces: readonly Buffer[], outgoing: ServerResponse): Promise<void> => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const piece of pieces)
      if (!outgoing.write(piece)) await new Promise<void>((resolve) => outgoing.once('drain', resolve));
    outgoing.end();
    repliesAt.push(performance.now());
  };
  const server = createServer((incoming: IncomingMessage, outgoing) => {
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    incoming.on('end', () => {
      requestsAt.push(performance.now());
      requestBytes.push(bytes);
      const pieces = bodies[requestsAt.length - 1];
      if (pieces) void answer(pieces, outgoing);
      else outgoing.writeHead(410).end(); // more requests than replies: the program says so and fails
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP gives this shape
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requestsAt,
    repliesAt,
    requestBytes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
