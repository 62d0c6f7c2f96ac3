import type * as z from 'zod';
import { api, type MethodName, type OutputOf, type ParsedInputOf } from '../../shared/contract/api.ts';
import type { Connection } from '../../shared/contract/connection.ts';
import { clientFrame, type HostFrame, packBytes } from '../../shared/contract/frame.ts';
import type { Failure, Result } from '../../shared/result.ts';
import type { Clock } from './base/clock.ts';
import { type Disposable, Disposer } from './base/disposer.ts';
import { createFlow } from './base/flow.ts';
import { describeError, type Log } from './base/log.ts';
import { systemFault } from './base/systemFault.ts';
import { createTokenBucket } from './base/tokenBucket.ts';

/** What a handler knows of the connection it answers: how to let facts and bytes flow to it, and nothing else. */
export interface Peer {
  /** Facts and bytes for this connection only. */
  post(frame: HostFrame): void;
  bytes(channel: number, bytes: Uint8Array): void;
  /** One subscription a name; asking again for the same name replaces it. Closed with the connection. */
  keep(name: string, opened: Disposable): void;
  drop(name: string): void;
  /** Listens to the acknowledgements of a console channel. */
  onAck(channel: number, listen: (bytes: number) => void): Disposable;
  /** A number for a new console channel of this connection. */
  nextChannel(): number;
}

export type Handlers = {
  readonly [M in MethodName]: (input: ParsedInputOf<M>, peer: Peer) => Promise<Result<OutputOf<M>>>;
};

/** A person with a console open sends some hundred frames a second (acknowledgements, typing); ten times that is an attack or a loop. */
const framesPerSecond = 5000;
const burst = 20_000;

/**
 * Joins an engine to one connection: each frame is checked against the contract before a handler sees it, each answer
 * before it leaves. A frame that does not fit closes this connection with the reason and harms nothing else.
 */
export function serve(
  connection: Connection,
  handlers: Handlers,
  {
    clock,
    log,
    allows = () => true,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    /** Methods beyond these are not there for this connection. */
    readonly allows?: (method: MethodName) => boolean;
  },
): Disposable {
  const disposer = new Disposer();
  const kept = new Map<string, Disposable>();
  const acknowledged = new Map<number, (bytes: number) => void>();
  const isWithinBudget = createTokenBucket(burst, framesPerSecond, () => clock.monotonicMs());
  let channels = 0;

  /** Whatever goes wrong at the end of one connection ends no other, and not the engine. */
  const guarded = (what: string, act: () => void): void => {
    try {
      act();
    } catch (error) {
      log.warn(what, error);
    }
  };
  const end = (reason: string): void => {
    if (disposer.disposed) return;
    guarded('a last word could not be sent', () => connection.post({ kind: 'closed', reason }));
    guarded('a connection was not closed well', () => disposer.dispose());
    guarded('a connection was not closed well', () => connection.close(reason));
  };
  const flow = disposer.add(createFlow(connection, clock, end));
  const post = (frame: HostFrame): void => {
    if (!disposer.disposed) guarded('a frame could not be sent', () => flow.post(frame));
  };
  const peer: Peer = {
    post,
    bytes(channel, bytes) {
      if (!disposer.disposed) guarded('bytes could not be sent', () => connection.post(packBytes(channel, bytes)));
    },
    keep(name, opened) {
      kept.get(name)?.dispose();
      if (disposer.disposed) opened.dispose();
      else kept.set(name, opened);
    },
    drop(name) {
      kept.get(name)?.dispose();
      kept.delete(name);
    },
    onAck(channel, listen) {
      acknowledged.set(channel, listen);
      return { dispose: () => void acknowledged.delete(channel) };
    },
    nextChannel() {
      channels += 1;
      return channels;
    },
  };

  disposer.defer(() => {
    for (const opened of kept.values()) opened.dispose();
    kept.clear();
    acknowledged.clear();
  });
  connection.onClose(() => guarded('a connection was not closed well', () => disposer.dispose()));
  connection.onFrame((frame) => {
    if (disposer.disposed) return;
    if (frame instanceof Uint8Array) return end('A client sends no bytes.');
    if (!isWithinBudget()) return end('Too many frames in a short time.');
    const known = clientFrame.safeParse(frame);
    if (!known.success) return end(`A frame does not fit the contract: ${issuesOf(known.error)}`);
    if (known.data.kind === 'ack') return acknowledged.get(known.data.channel)?.(known.data.bytes);
    const { id, method, input } = known.data;
    if (!isMethod(method) || !allows(method)) return end(`There is no method "${method.slice(0, 100)}".`);
    void answer(handlers, method, input, peer, log).then((reply) =>
      post(
        'error' in reply
          ? { kind: 'refusal', id, error: reply.error }
          : { kind: 'reply', id, ok: true, value: reply.value },
      ),
    );
  });
  return { dispose: () => end('The engine ended.') };
}

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(api, name);
}

async function answer<M extends MethodName>(
  handlers: Handlers,
  method: M,
  input: unknown,
  peer: Peer,
  log: Log,
): Promise<{ readonly value: unknown } | { readonly error: Failure }> {
  const parsed = api[method].input.safeParse(input);
  if (!parsed.success) return { error: { code: 'VALIDATION_ERROR', message: `${method}: ${issuesOf(parsed.error)}` } };
  try {
    // The schema of this very row has checked it; the index type cannot say so.
    const result = await handlers[method](parsed.data as ParsedInputOf<M>, peer);
    if (!result.ok) return { error: result.error };
    const output = api[method].output.safeParse(result.value);
    if (output.success) return { value: output.data };
    throw new Error(`the answer of ${method} does not fit the contract: ${issuesOf(output.error)}`);
  } catch (error) {
    log.warn(`the method ${method} threw`, error);
    const message = `Vise failed in a way it should not (${method}): ${describeError(error)}`;
    return { error: systemFault(`${method} could not be done`, error) ?? { code: 'INTERNAL', message } };
  }
}

function issuesOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');
}
