import type { Connection } from './connection.ts';

interface End {
  listen?: (frame: unknown) => void;
  closed?: (reason: string) => void;
  readonly early: unknown[];
}

/**
 * Two ends of a connection in one process. Each frame goes through JSON, so that a test over this pair proves what
 * a test over a socket would prove: only data crosses.
 */
export function inMemoryPair(): readonly [Connection, Connection] {
  const left: End = { early: [] };
  const right: End = { early: [] };
  const state = { open: true };
  return [endOf(left, right, state), endOf(right, left, state)];
}

function endOf(mine: End, other: End, state: { open: boolean }): Connection {
  return {
    post(frame) {
      if (!state.open) return;
      const crossed: unknown = frame instanceof Uint8Array ? frame.slice() : JSON.parse(JSON.stringify(frame));
      // A microtask keeps the order and, like a socket, never calls the other side inside the sender's own call.
      void Promise.resolve().then(() => {
        if (other.listen) other.listen(crossed);
        else other.early.push(crossed);
      });
    },
    onFrame(listen) {
      mine.listen = listen;
      for (const frame of mine.early.splice(0)) listen(frame);
    },
    onClose(listen) {
      mine.closed = listen;
    },
    close(reason) {
      if (!state.open) return;
      state.open = false;
      // What was posted before still arrives before the end, as it would over a socket.
      void Promise.resolve().then(() => {
        mine.closed?.(reason);
        other.closed?.(reason);
      });
    },
  };
}
