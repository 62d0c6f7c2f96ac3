import type { WebSocket } from 'ws';
import type { Connection } from '../../shared/contract/connection.ts';
import { jsonBytes } from '../engine/base/jsonBytes.ts';

/** So long may a window take to read why it was closed. */
const lastWordMs = 2_000;

/** One browser window as a connection: objects as JSON text, console bytes as binary messages. */
export function webSocketConnection(socket: WebSocket): Connection {
  let listen: ((frame: unknown) => void) | undefined;
  let closed: ((reason: string) => void) | undefined;
  const early: unknown[] = [];
  const hear = (frame: unknown): void => {
    if (listen) listen(frame);
    else early.push(frame);
  };
  socket.on('message', (data, isBinary) => {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data;
    if (isBinary) return hear(new Uint8Array(bytes));
    try {
      hear(JSON.parse(bytes.toString('utf8')));
    } catch {
      hear(undefined); // not JSON: the host's own check refuses it with a reason
    }
  });
  socket.on('close', (_code, reason) => closed?.(reason.toString() || 'the window closed'));
  socket.on('error', () => socket.terminate());
  return {
    post(frame) {
      if (socket.readyState !== socket.OPEN) return;
      if (frame instanceof Uint8Array) socket.send(frame);
      else
        socket.send('kind' in frame && frame.kind === 'reply' ? jsonBytes(frame) : JSON.stringify(frame), {
          binary: false,
        });
    },
    onFrame(hears) {
      listen = hears;
      for (const frame of early.splice(0)) hears(frame);
    },
    onClose(hears) {
      closed = hears;
    },
    close(reason) {
      // Who does not read does not answer a goodbye either.
      const late = setTimeout(() => socket.terminate(), lastWordMs);
      socket.once('close', () => clearTimeout(late));
      // A close reason may have 123 bytes (RFC 6455, section 5.5).
      socket.close(
        1000,
        Buffer.from(reason)
          .subarray(0, 120)
          .toString('utf8')
          .replace(/\uFFFD$/, ''),
      );
    },
    pendingBytes: () => socket.bufferedAmount,
  };
}
