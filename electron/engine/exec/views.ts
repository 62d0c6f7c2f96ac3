import { open } from 'node:fs/promises';
import { ok, type Result } from '../../../shared/result.ts';
import { createDeferred, type Deferred } from '../base/deferred.ts';
import { errnoOf } from '../base/log.ts';
import type { Attached, AttachOptions } from './executor.ts';
import type { TaskHost } from './taskRecord.ts';
import { serializedScreen } from './terminalText.ts';

/** What a screen is painted from. */
const screenBytes = 512 * 1024;

interface OpenView {
  readonly link: TaskHost;
  readonly options: AttachOptions;
  readonly attached: Deferred<{ readonly replay: number; readonly open: boolean }>;
  readonly filled: Deferred<void>;
  replayed: Buffer[];
  missing: number;
  /** Bytes and the end that came while the screen was painted, in order. */
  waiting: (() => void)[] | undefined;
}

/** The live views of this engine: each a numbered stream from a host, acknowledged by its reader. */
export class Views {
  readonly #open = new Map<number, OpenView>();
  #last = 0;

  /** `link` undefined: the task has ended or its host is gone; the screen is painted from the log. */
  async attach(
    link: TaskHost | undefined,
    id: string,
    logPath: string,
    convertEol: boolean,
    options: AttachOptions,
  ): Promise<Result<Attached>> {
    const { columns, rows } = options;
    if (link === undefined) {
      const screen = await serializedScreen(await readTail(logPath), columns, rows, convertEol);
      return ok({ screen, ended: true, convertEol, ack: () => undefined, dispose: () => undefined });
    }
    this.#last += 1;
    const number = this.#last;
    const view: OpenView = {
      link,
      options,
      attached: createDeferred(),
      filled: createDeferred(),
      replayed: [],
      missing: 0,
      waiting: [],
    };
    this.#open.set(number, view);
    link.post({ t: 'attach', view: number, id });
    const { replay, open: isOpen } = await view.attached.promise;
    if (!isOpen) this.#open.delete(number);
    if (isOpen) await view.filled.promise;
    const bytes = isOpen ? Buffer.concat(view.replayed) : await readTail(logPath);
    const screen = await serializedScreen(bytes, columns, rows, convertEol);
    if (isOpen) link.post({ t: 'ack', view: number, bytes: replay });
    view.replayed = [];
    setImmediate(() => {
      const waiting = view.waiting ?? [];
      view.waiting = undefined;
      for (const tell of waiting) tell();
    });
    return ok({
      screen,
      ended: !isOpen,
      convertEol,
      ack: (size) => link.post({ t: 'ack', view: number, bytes: size }),
      dispose: () => {
        if (this.#open.delete(number)) link.post({ t: 'detach', view: number });
      },
    });
  }

  attached(number: number, replay: number, isOpen: boolean): void {
    const view = this.#open.get(number);
    if (view === undefined) return;
    view.missing = replay;
    view.attached.resolve({ replay, open: isOpen });
    if (replay === 0) view.filled.resolve();
  }

  bytes(number: number, bytes: Buffer): void {
    const view = this.#open.get(number);
    if (view === undefined) return;
    const replayed = bytes.subarray(0, view.missing);
    const fresh = bytes.subarray(replayed.length);
    if (replayed.length > 0) {
      view.replayed.push(replayed);
      view.missing -= replayed.length;
      if (view.missing === 0) view.filled.resolve();
    }
    if (fresh.length > 0) this.#deliver(view, () => view.options.onBytes(fresh));
  }

  skipped(number: number, size: number): void {
    const view = this.#open.get(number);
    if (view === undefined) return;
    // What was left out may be a part of what the screen was to be painted from.
    if (view.missing > 0) {
      view.missing = 0;
      view.filled.resolve();
    }
    const mark = Buffer.from(`\r\n\x1b[0;7m ${size} bytes left out here; the log has them \x1b[0m\r\n`);
    this.#deliver(view, () => view.options.onBytes(mark));
  }

  ended(number: number): void {
    const view = this.#open.get(number);
    if (view === undefined) return;
    this.#open.delete(number);
    view.attached.resolve({ replay: 0, open: false });
    view.filled.resolve();
    this.#deliver(view, () => view.options.onEnd());
  }

  /** The host is gone: every view of it ends. */
  endAll(link: TaskHost): void {
    for (const [number, view] of [...this.#open]) if (view.link === link) this.ended(number);
  }

  #deliver(view: OpenView, tell: () => void): void {
    if (view.waiting === undefined) tell();
    else view.waiting.push(tell);
  }
}

async function readTail(path: string): Promise<Buffer> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const length = Math.min(size, screenBytes);
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, size - length);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0); // nothing was written
    throw error;
  }
}
