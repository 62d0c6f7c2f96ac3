import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';

type Answer = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };

/** A command for the browser; `deliver` are values for a page, which become the expression that is evaluated there. */
export interface ToBrowser {
  readonly id: number;
  readonly method: string;
  readonly params: object;
  readonly session: string | undefined;
  readonly deliver?: readonly unknown[];
}

/** What the thread of the browser says; an event of the preload's binding has `sent`, the values themselves. */
export type FromBrowser =
  | { readonly kind: 'started'; readonly pid: number | undefined }
  | { readonly kind: 'endpoint'; readonly endpoint: string }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'answer'; readonly id: number; readonly result: object; readonly error: string | undefined }
  | { readonly kind: 'event'; readonly session: string; readonly method: string; readonly params: object };

/** The DevTools protocol as the main process sees it: commands and events as values, text in the browser's thread. */
export class Cdp {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, Answer>();
  readonly #sessions = new Map<string, EventEmitter>();
  #next = 0;

  constructor(thread: Worker) {
    this.#thread = thread;
    thread.on('message', (message: FromBrowser) => this.#take(message));
  }

  /** Events of a session (`''` is the browser itself), in the order of the browser. */
  events(session = ''): EventEmitter {
    const known = this.#sessions.get(session) ?? new EventEmitter();
    this.#sessions.set(session, known);
    return known;
  }

  send<T = Record<string, unknown>>(method: string, params: object = {}, session?: string): Promise<T> {
    return this.#post({ method, params, session });
  }

  /** Gives values to the preload of a page; throws for what no structured clone takes, as Electron does. */
  deliver(values: readonly unknown[], context: string, session: string): void {
    const params = { uniqueContextId: context };
    this.#post({ method: 'Runtime.evaluate', params, session, deliver: values }).catch(() => undefined);
  }

  #post<T>(message: Omit<ToBrowser, 'id'>): Promise<T> {
    this.#next += 1;
    const id = this.#next;
    this.#thread.postMessage({ id, ...message } satisfies ToBrowser);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Answer['resolve'], reject });
    });
  }

  #take(message: FromBrowser): void {
    if (message.kind === 'event') this.#sessions.get(message.session)?.emit(message.method, message.params);
    if (message.kind === 'gone') {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser is gone'));
      this.#waiting.clear();
    }
    if (message.kind !== 'answer') return;
    const answer = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error === undefined) answer?.resolve(message.result);
    else answer?.reject(new Error(message.error));
  }
}
