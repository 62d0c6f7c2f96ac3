import { WebSocket } from 'ws';
import { type Client, createClient } from '../../shared/contract/client.ts';
import type { Connection } from '../../shared/contract/connection.ts';

/** A window without a page: enters with the token as a browser would, then speaks the contract over the socket. */
export const connect = async (url: string): Promise<Client> => (await connectStoppable(url)).client;

/** The same, and a way to read nothing more from now on, as a page whose thread hangs. */
export async function connectStoppable(url: string): Promise<{ readonly client: Client; readonly hang: () => void }> {
  const { host, origin } = new URL(url);
  const entered = await fetch(url, { redirect: 'manual' });
  await entered.arrayBuffer();
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  const socket = new WebSocket(`ws://${host}/ws`, { headers: { cookie }, origin });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  // A server that is killed resets the connection; its end is told by `close`.
  socket.on('error', () => undefined);
  return { client: createClient(socketConnection(socket)), hang: () => socket.pause() };
}

function socketConnection(socket: WebSocket): Connection {
  return {
    post: (frame) => socket.send(frame instanceof Uint8Array ? frame : JSON.stringify(frame)),
    onFrame(listen) {
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary) listen(new Uint8Array(data));
        else listen(JSON.parse(data.toString('utf8')));
      });
    },
    onClose: (listen) => void socket.on('close', (code) => listen(`the socket closed (${code})`)),
    close: () => socket.close(),
  };
}
