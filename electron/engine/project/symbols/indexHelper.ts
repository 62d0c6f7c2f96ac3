import { setPriority } from 'node:os';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { indexSource } from './indexSource.ts';
import type { IndexedFile } from './indexStore.ts';
import type { FileStamp } from './readSource.ts';

/** A second thread that reads files while the thread of the index reads others. All calls but its start are short. */
export interface IndexHelper {
  /** What it has read since the last call, and files it will not read because it has ended. */
  collect(): { readonly read: readonly IndexedFile[]; readonly given: readonly string[] };
  /** How many files it was given and has not read. */
  readonly left: number;
  readonly hasEnded: boolean;
  give(file: FileToRead): void;
  /** Blocks until it has read something, or for so many milliseconds. */
  wait(timeoutMs: number): void;
  /** Ends it and tells which files it has not read. */
  stop(): readonly string[];
}

export interface FileToRead {
  readonly name: string;
  readonly seen: FileStamp;
}

export interface IndexHelperData {
  readonly helps: MessagePort;
  readonly root: string;
  /** How many questions are being answered: while there are any, it reads nothing. */
  readonly holds: Int32Array<SharedArrayBuffer>;
  /** How many answers it has sent, for who waits. */
  readonly news: Int32Array<SharedArrayBuffer>;
}

interface HelperReply {
  readonly name: string;
  /** Missing when somebody waits for an answer. */
  readonly file?: IndexedFile;
}

/** Enough for what it is given; else it ends, and the thread of the index reads the file. */
const maxHeapMb = 24;

/** `entry`: address of the worker (see symbolWorker.ts). */
export function startIndexHelper(entry: string, { root, holds }: Pick<IndexHelperData, 'root' | 'holds'>): IndexHelper {
  const { port1: port, port2: helps } = new MessageChannel();
  const news = new Int32Array(new SharedArrayBuffer(4));
  const workerData: IndexHelperData = { helps, root, holds, news };
  const worker = new Worker(new URL(entry), {
    workerData,
    transferList: [helps],
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: maxHeapMb },
  });
  worker.unref();
  const waiting = new Set<string>();
  let received = 0;
  let hasEnded = false;
  worker.on('error', () => undefined); // `exit` follows
  worker.on('exit', () => {
    hasEnded = true;
  });
  const takeBack = (): readonly string[] => {
    const names = [...waiting];
    waiting.clear();
    return names;
  };
  return {
    get hasEnded() {
      return hasEnded;
    },
    get left() {
      return waiting.size;
    },
    collect() {
      const read: IndexedFile[] = [];
      const given: string[] = [];
      for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
        const { name, file } = got.message as HelperReply; // as `serveIndexHelper` sends it
        received += 1;
        waiting.delete(name);
        if (file) read.push(file);
        else given.push(name);
      }
      return { read, given: hasEnded ? [...given, ...takeBack()] : given };
    },
    give(file) {
      waiting.add(file.name);
      port.postMessage(file);
    },
    wait(timeoutMs) {
      // Returns at once when there is an answer that was not collected.
      if (!hasEnded) Atomics.wait(news, 0, received, timeoutMs);
    },
    stop() {
      port.close();
      void worker.terminate();
      return takeBack();
    },
  };
}

/** The other side: a file in, what it defines out, in order. */
export function serveIndexHelper({ helps, root, holds, news }: IndexHelperData): void {
  // Here a thread has a priority of its own; what people run goes first.
  if (process.platform === 'linux') setPriority(0, 10);
  let turn = Promise.resolve();
  helps.on('message', ({ name, seen }: FileToRead) => {
    turn = turn.then(async () => {
      const file = Atomics.load(holds, 0) > 0 ? undefined : await indexSource(root, name, seen);
      helps.postMessage({ name, ...(file ? { file } : {}) } satisfies HelperReply);
      Atomics.add(news, 0, 1);
      Atomics.notify(news, 0);
    });
  });
}
