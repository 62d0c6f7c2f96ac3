import { fits } from '../fits.ts';
import type { Envelope } from '../model/event.ts';
import type { WorkbenchEnvelope } from '../model/workbench.ts';
import { fail, ok, type Result } from '../result.ts';
import type { InputOf, MethodName, OutputOf } from './api.ts';
import type { Connection } from './connection.ts';
import { type ClientFrame, type HostFrame, hostFrame, unpackBytes } from './frame.ts';

export interface ConsoleListener {
  /** Call `drawn` once the bytes are on the screen; without it the host stops sending after its window. */
  readonly bytes: (bytes: Uint8Array, drawn: () => void) => void;
  readonly ended: () => void;
}

export interface Client {
  call<M extends MethodName>(method: M, input: InputOf<M>): Promise<Result<OutputOf<M>>>;
  /** Facts of the watched sessions. Returns the way to stop listening. */
  onEvent(listen: (envelope: Envelope) => void): () => void;
  onWorkbench(listen: (envelope: WorkbenchEnvelope) => void): () => void;
  /** Bytes of one console channel; those that came before the listener are kept for it. */
  onConsole(channel: number, listener: ConsoleListener): () => void;
  onClose(listen: (reason: string) => void): () => void;
  close(): void;
}

const earlyBytesLimit = 4_000_000;

/** The client's end of the contract: used by the window, the command line and the tests alike. */
export function createClient(connection: Connection): Client {
  let nextId = 0;
  let closedWhy: string | undefined;
  const waiting = new Map<number, (answer: Result<unknown>) => void>();
  const events = new Set<(envelope: Envelope) => void>();
  const workbench = new Set<(envelope: WorkbenchEnvelope) => void>();
  const closed = new Set<(reason: string) => void>();
  const listeners = new Map<number, ConsoleListener>();
  const early = new Map<number, { chunks: Uint8Array[]; size: number; ended: boolean }>();

  const post = (frame: ClientFrame): void => connection.post(frame);
  const deliver = (channel: number, listener: ConsoleListener, bytes: Uint8Array): void =>
    listener.bytes(bytes, () => post({ kind: 'ack', channel, bytes: bytes.length }));

  const hear = (frame: HostFrame): void => {
    switch (frame.kind) {
      case 'reply':
      case 'refusal':
        waiting.get(frame.id)?.(frame.kind === 'reply' ? ok(frame.value) : { ok: false, error: frame.error });
        waiting.delete(frame.id);
        return;
      case 'event':
        for (const listen of events) listen(frame.envelope);
        return;
      case 'workbench':
        for (const listen of workbench) listen(frame.envelope);
        return;
      case 'ended': {
        const listener = listeners.get(frame.channel);
        if (listener) listener.ended();
        else keptFor(frame.channel).ended = true;
        return;
      }
      case 'closed':
        end(frame.reason);
    }
  };

  const keptFor = (channel: number): { chunks: Uint8Array[]; size: number; ended: boolean } => {
    const kept = early.get(channel) ?? { chunks: [], size: 0, ended: false };
    early.set(channel, kept);
    return kept;
  };

  const hearPacked = (packed: Uint8Array): void => {
    const unpacked = unpackBytes(packed);
    if (!unpacked) return;
    const listener = listeners.get(unpacked.channel);
    if (listener) return deliver(unpacked.channel, listener, unpacked.bytes);
    const kept = keptFor(unpacked.channel);
    if (kept.size + unpacked.bytes.length > earlyBytesLimit) return;
    kept.chunks.push(unpacked.bytes);
    kept.size += unpacked.bytes.length;
  };

  const end = (reason: string): void => {
    if (closedWhy !== undefined) return;
    closedWhy = reason;
    for (const answer of waiting.values()) answer(fail('UNAVAILABLE', `The connection closed: ${reason}`));
    waiting.clear();
    for (const listen of closed) listen(reason);
  };

  connection.onFrame((frame) => {
    if (frame instanceof Uint8Array) return hearPacked(frame);
    if (fits(hostFrame)(frame)) hear(frame);
  });
  connection.onClose(end);

  return {
    call<M extends MethodName>(method: M, input: InputOf<M>) {
      if (closedWhy !== undefined) {
        return Promise.resolve(fail('UNAVAILABLE', `The connection closed: ${closedWhy}`));
      }
      const id = nextId;
      nextId += 1;
      return new Promise<Result<OutputOf<M>>>((resolve) => {
        // The host has checked the value against the row's output schema.
        waiting.set(id, resolve as (answer: Result<unknown>) => void);
        post({ kind: 'call', id, method, input });
      });
    },
    onEvent: listener(events),
    onWorkbench: listener(workbench),
    onConsole(channel, listener) {
      listeners.set(channel, listener);
      const kept = early.get(channel);
      early.delete(channel);
      for (const chunk of kept?.chunks ?? []) deliver(channel, listener, chunk);
      if (kept?.ended) listener.ended();
      return () => listeners.delete(channel);
    },
    onClose: listener(closed),
    close: () => connection.close('closed by the client'),
  };
}

/** Takes listeners into a set; what it gives back lets one go. */
export const listener =
  <T>(set: Set<T>) =>
  (listen: T): (() => void) => {
    set.add(listen);
    return () => set.delete(listen);
  };
