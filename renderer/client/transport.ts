import type { Connection } from '../../shared/contract/connection.ts';

/** What the desktop's preload provides: two pipes, and the path of a dropped file. */
export interface Bridge {
  post(frame: unknown): void;
  onFrame(listen: (frame: unknown) => void): () => void;
  tellDesktop(message: unknown): void;
  onDesktop(listen: (message: unknown) => void): () => void;
  pathOf(file: File): string;
}

declare global {
  interface Window {
    readonly bridge?: Bridge;
  }
}

/** Opens one connection to the engine: through the desktop's bridge, else the socket of the page's own origin. */
export function openTransport(): Connection {
  return window.bridge ? overBridge(window.bridge) : overSocket(socketAddress(window.location));
}

export function socketAddress({ protocol, host }: { readonly protocol: string; readonly host: string }): string {
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/ws`;
}

function overBridge(bridge: Bridge): Connection {
  let stop: (() => void) | undefined;
  let closed: ((reason: string) => void) | undefined;
  return {
    post: (frame) => bridge.post(frame),
    onFrame(listen) {
      stop = bridge.onFrame(listen);
    },
    onClose(listen) {
      closed = listen;
    },
    close(reason) {
      stop?.();
      closed?.(reason);
    },
  };
}

/** The parts of a WebSocket that are used, so that a test can stand in for the network. */
export type Socket = Pick<
  WebSocket,
  'binaryType' | 'send' | 'close' | 'readyState' | 'onopen' | 'onmessage' | 'onclose' | 'bufferedAmount'
>;

export function overSocket(address: string, open: (address: string) => Socket = (at) => new WebSocket(at)): Connection {
  const socket = open(address);
  socket.binaryType = 'arraybuffer';
  let listen: ((frame: unknown) => void) | undefined;
  let closed: ((reason: string) => void) | undefined;
  const early: unknown[] = [];
  const unsent: string[] = [];
  const end = (reason: string): void => {
    const tell = closed;
    closed = undefined;
    tell?.(reason);
  };
  socket.onopen = () => {
    for (const text of unsent.splice(0)) socket.send(text);
  };
  socket.onmessage = ({ data }: MessageEvent<unknown>) => {
    const frame = data instanceof ArrayBuffer ? new Uint8Array(data) : parse(data);
    if (listen) listen(frame);
    else early.push(frame);
  };
  socket.onclose = ({ reason }) => end(reason);
  return {
    post(frame) {
      if (frame instanceof Uint8Array) return;
      const text = JSON.stringify(frame);
      if (socket.readyState === 1) socket.send(text);
      else if (socket.readyState === 0) unsent.push(text);
    },
    onFrame(hear) {
      listen = hear;
      for (const frame of early.splice(0)) hear(frame);
    },
    onClose(hear) {
      closed = hear;
    },
    close(reason) {
      // Close reasons are limited to 123 bytes of UTF-8.
      socket.close(1000, reason.slice(0, 40));
      end(reason);
    },
    pendingBytes: () => socket.bufferedAmount,
  };
}

function parse(data: unknown): unknown {
  if (typeof data !== 'string') return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
