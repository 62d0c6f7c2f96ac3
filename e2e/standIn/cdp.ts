import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

type Answer = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };
type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: object;
  readonly result?: object;
  readonly error?: { readonly message: string };
};

/** The DevTools protocol over the two pipes of a Chromium, which ends when they close. */
export class Cdp {
  readonly #write: Writable;
  readonly #waiting = new Map<number, Answer>();
  readonly #sessions = new Map<string, EventEmitter>();
  #next = 0;
  #rest = '';

  constructor(write: Writable, read: Readable) {
    this.#write = write;
    write.on('error', () => undefined);
    read.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    read.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser is gone'));
      this.#waiting.clear();
    });
  }

  /** Events of a session (`''` is the browser itself), in the order of the browser. */
  events(session = ''): EventEmitter {
    const known = this.#sessions.get(session) ?? new EventEmitter();
    this.#sessions.set(session, known);
    return known;
  }

  send<T = Record<string, unknown>>(method: string, params: object = {}, session?: string): Promise<T> {
    this.#next += 1;
    const id = this.#next;
    this.#write.write(`${JSON.stringify({ id, method, params, ...(session ? { sessionId: session } : {}) })}\0`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Answer['resolve'], reject });
    });
  }

  #read(text: string): void {
    const parts = (this.#rest + text).split('\0');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) this.#take(JSON.parse(part) as Message);
  }

  #take({ id, method, sessionId, params, result, error }: Message): void {
    if (id === undefined) return void (method && this.#sessions.get(sessionId ?? '')?.emit(method, params ?? {}));
    const answer = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result ?? {});
  }
}
