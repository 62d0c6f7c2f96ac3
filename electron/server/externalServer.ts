import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Connection } from '../../shared/contract/connection.ts';
import { writeJsonFile } from '../engine/base/jsonFile.ts';
import { thisProcess } from '../engine/base/processMark.ts';
import { isSame } from './access.ts';
import { refuseUpgrade } from './refuseUpgrade.ts';
import { webSocketConnection } from './webSocketConnection.ts';

/** What a workbench leaves in the state folder so that another Vise of the same user finds it. */
export interface WorkbenchNote {
  readonly pid: number;
  /** When that process started, so that a reused number is not taken for it; empty where the system does not tell. */
  readonly start: string;
  readonly url: string;
  readonly token: string;
}

export interface ExternalServer {
  readonly note: WorkbenchNote;
  close(): Promise<void>;
}

export interface ExternalServerOptions {
  /** The state folder. */
  readonly state: string;
  readonly maxFrameBytes: number;
  /** Must answer nothing but `external.*`: the note can be read by every program of the user. */
  readonly onConnection: (connection: Connection) => void;
}

/** More than editors and agents of one person; each may ask on its own. */
const maxClients = 32;

export function notesFolder(state: string): string {
  return join(state, 'workbenches');
}

/**
 * A server for other processes of this user that ask the person (`vise mcp`): on 127.0.0.1, with a token of its own that
 * opens nothing else, written to a 0600 file. Browsers are refused: they always name the page they come from (S3).
 */
export async function startExternalServer({
  state,
  maxFrameBytes,
  onConnection,
}: ExternalServerOptions): Promise<ExternalServer> {
  const token = randomBytes(32).toString('base64url');
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });
  const server = createServer((_request, response) => void response.writeHead(404).end());
  let host = '';
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { headers, url } = request;
    const allowed =
      url === '/external' &&
      headers.host === host &&
      headers.origin === undefined &&
      isSame(headers.authorization ?? '', `Bearer ${token}`);
    if (allowed && sockets.clients.size < maxClients)
      sockets.handleUpgrade(request, socket, head, (opened) => onConnection(webSocketConnection(opened)));
    else refuseUpgrade(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // a TCP server has this kind of address
  host = `127.0.0.1:${port}`;
  const note = { pid: process.pid, start: thisProcess().startedAt, url: `ws://${host}/external`, token };
  const file = join(notesFolder(state), `${process.pid}.json`);
  try {
    writeJsonFile(file, note); // 0600, in a folder of 0700
  } catch (error) {
    server.close(); // else it would keep a process that nobody finds it in
    throw error;
  }
  return {
    note,
    close: () =>
      new Promise((resolve) => {
        rmSync(file, { force: true });
        for (const socket of sockets.clients) socket.terminate();
        sockets.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
