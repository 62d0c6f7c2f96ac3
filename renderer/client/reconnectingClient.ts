import { type Client, type ConsoleListener, createClient, listener } from '../../shared/contract/client.ts';
import type { Connection } from '../../shared/contract/connection.ts';
import type { Envelope } from '../../shared/model/event.ts';
import type { WorkbenchEnvelope } from '../../shared/model/workbench.ts';
import { fail } from '../../shared/result.ts';
import { useConnection } from './connection.ts';

/** The first try follows soon (a restarted engine is back within a second), later ones leave a sleeping laptop alone. */
const firstDelayMs = 300;
const longestDelayMs = 10_000;

export function delayBefore(attempt: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** attempt);
}

export interface ReconnectingClientDeps {
  readonly open: () => Connection;
  /** Runs after a new connection stands; answers false when the engine did not speak. */
  readonly greet: () => Promise<boolean>;
  readonly now: () => number;
  readonly after: (delayMs: number, run: () => void) => () => void;
}

export interface ReconnectingClient {
  /** A client that stays the same over all connections; calls without one are refused with UNAVAILABLE. */
  readonly client: Client;
  start(greet: () => Promise<boolean>): void;
  retryNow(): void;
  dispose(): void;
}

/** Keeps one connection to the engine, and makes a new one with growing pauses when it is lost. */
export function createReconnectingClient({
  open,
  now,
  after,
}: Omit<ReconnectingClientDeps, 'greet'>): ReconnectingClient {
  let current: Client | undefined;
  let greet: ReconnectingClientDeps['greet'] = () => Promise.resolve(true);
  let attempt = 0;
  let cancel: (() => void) | undefined;
  let disposed = false;
  const events = new Set<(envelope: Envelope) => void>();
  const workbench = new Set<(envelope: WorkbenchEnvelope) => void>();
  const closed = new Set<(reason: string) => void>();

  const connect = async (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    if (disposed || current) return;
    const client = createClient(open());
    current = client;
    client.onEvent((envelope) => {
      for (const listen of events) listen(envelope);
    });
    client.onWorkbench((envelope) => {
      for (const listen of workbench) listen(envelope);
    });
    client.onClose((reason) => lose(client, reason));
    if ((await greet()) && current === client) {
      attempt = 0;
      useConnection.setState(({ generation }) => ({
        status: 'open',
        generation: generation + 1,
        reason: '',
        failures: 0,
        retryAt: null,
      }));
    } else if (current === client) client.close();
  };

  const lose = (client: Client, reason: string): void => {
    if (current !== client) return;
    current = undefined;
    for (const listen of closed) listen(reason);
    if (disposed) return;
    const delayMs = delayBefore(attempt);
    attempt += 1;
    useConnection.setState({ status: 'lost', reason, failures: attempt, retryAt: now() + delayMs });
    cancel = after(delayMs, () => void connect());
  };

  return {
    client: {
      call: (method, input) =>
        current
          ? current.call(method, input)
          : Promise.resolve(fail('UNAVAILABLE', 'Vise is not connected to its engine.')),
      onEvent: listener(events),
      onWorkbench: listener(workbench),
      onConsole: (channel: number, listener: ConsoleListener) =>
        current?.onConsole(channel, listener) ?? (() => undefined),
      onClose: listener(closed),
      close: () => current?.close(),
    },
    start(hello) {
      greet = hello;
      void connect();
    },
    retryNow: () => void connect(),
    dispose() {
      disposed = true;
      cancel?.();
      current?.close();
    },
  };
}
