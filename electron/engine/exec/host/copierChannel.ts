import type { Socket } from 'node:net';
import { isRunning } from '../processTree.ts';
import { readsOfSegment } from './segments.ts';

/** How a copier ended. */
export interface CopierEnd {
  /** `full`: it has done its part, there may be more. `over`: nobody holds the terminal any more. Else it failed. */
  readonly how: 'full' | 'over' | 'failed';
  /** Why something is missing, as far as that can be said. */
  readonly fault?: string;
}

const silentEnd: CopierEnd = { how: 'failed', fault: 'the process that copied it was ended' };

/** What the copiers of one stream say: the pid of each, what `dd` tells at its end, and at first whether the terminal is raw. */
export class CopierChannel {
  /** Whether the kernel passes LF as it is; false as well when it cannot be told any more. */
  readonly raw: Promise<boolean>;
  readonly #socket: Socket;
  readonly #isRaw = Promise.withResolvers<boolean>();
  readonly #unheard: CopierEnd[] = [];
  #heard: ((end: CopierEnd) => void) | undefined;
  #text = '';
  #how: CopierEnd['how'] = 'failed';
  #fault: string | undefined;
  #pid: number | undefined;
  #running = true;
  #missed = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.raw = this.#isRaw.promise;
    socket.on('data', (data: Buffer) => this.#hear(data.toString('latin1')));
    socket.on('error', () => undefined); // it closes
    socket.on('close', () => {
      this.#isRaw.resolve(false);
      this.#end(silentEnd);
    });
  }

  /** Whether its copier is at work. */
  get works(): boolean {
    return this.#running && (this.#pid === undefined || isRunning(this.#pid));
  }

  /** Calls `heard` for each copier that has ended, also if that was before this call. */
  onEnd(heard: (end: CopierEnd) => void): void {
    this.#heard = heard;
    for (const end of this.#unheard.splice(0)) heard(end);
  }

  /** The next copier has been asked for. */
  begun(): void {
    this.#running = true;
    this.#pid = undefined;
  }

  say(line: string): void {
    this.#socket.write(line);
  }

  /** Notices a copier that died without a word. Its last word may be on the way still: only the second look counts. */
  look(): void {
    const gone = this.#running && this.#pid !== undefined && !isRunning(this.#pid);
    if (gone && this.#missed) this.#end(silentEnd);
    this.#missed = gone;
  }

  close(): void {
    this.#heard = () => undefined;
    this.#socket.destroy();
  }

  #hear(text: string): void {
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  /** What two processes say at once may come on one line; what one of them says at once stays together. */
  #line(line: string): void {
    const pid = /pid (\d+)$/.exec(line)?.[1];
    const records = /(\d+)\+(\d+) records in$/.exec(line);
    if (line === 'raw' || line === 'plain') this.#isRaw.resolve(line === 'raw');
    else if (pid !== undefined) this.#pid = Number(pid);
    else if (records !== null && Number(records[1]) + Number(records[2]) >= readsOfSegment) this.#how = 'full';
    else if (line.endsWith(' records out'))
      this.#end(this.#fault === undefined ? { how: this.#how } : { how: 'failed', fault: this.#fault });
    else if (/writ/i.test(line)) this.#fault = line;
    else if (line.includes('Input/output error')) this.#how = 'over';
  }

  #end(end: CopierEnd): void {
    if (!this.#running) return;
    this.#running = false;
    this.#how = 'failed';
    this.#fault = undefined;
    if (this.#heard === undefined) this.#unheard.push(end);
    else this.#heard(end);
  }
}
