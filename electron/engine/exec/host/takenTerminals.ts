import { closeSync } from 'node:fs';
import type { Copier } from './copier.ts';
import type { CopyFolder } from './copyFolder.ts';
import { EndMark } from './endMark.ts';
import type { Inherited } from './inherited.ts';
import type { StreamName } from './outputStore.ts';
import type { StartOrder } from './protocol.ts';
import type { ProcessListener } from './runningProcess.ts';
import type { Terminal, TerminalPair } from './terminalPool.ts';
import { TerminalReader } from './terminalReader.ts';
import { UnreadFile } from './unread.ts';

interface TakenStream {
  readonly name: StreamName;
  readonly terminal: Terminal;
  readonly raw: boolean;
  readonly mark: EndMark;
}

/** The terminals that one command is given, and who reads them. */
export class TakenTerminals {
  readonly out: Terminal;
  readonly err: Terminal;
  /** Whether they are copied: then they block. */
  readonly areCopied: boolean;
  readonly #streams: readonly TakenStream[];
  readonly #copied: { readonly copier: Copier; readonly folder: CopyFolder; readonly unread: UnreadFile } | undefined;
  readonly #inherited: Inherited;
  readonly #listener: ProcessListener;
  #readers: readonly TerminalReader[] = [];
  #open = 0;

  private constructor(
    streams: readonly [TakenStream, ...TakenStream[]],
    inherited: Inherited,
    listener: ProcessListener,
    copied?: { readonly copier: Copier; readonly folder: CopyFolder; readonly unread: UnreadFile },
  ) {
    this.out = streams[0].terminal;
    this.err = (streams[1] ?? streams[0]).terminal;
    this.areCopied = copied !== undefined;
    this.#streams = streams;
    this.#inherited = inherited;
    this.#listener = listener;
    this.#copied = copied;
  }

  /** One terminal for everything, as it is: what a shell's own conversions make is what its reader is to see. */
  static merged(terminal: Terminal, inherited: Inherited, listener: ProcessListener): TakenTerminals {
    const mark = new EndMark(terminal.path);
    return new TakenTerminals([{ name: 'stdout', terminal, raw: true, mark }], inherited, listener);
  }

  /**
   * One terminal for each stream. Begins the file that says how far their copies have been read, so that it is there before the
   * command can print; where that fails, nothing is copied.
   */
  static apart(
    { out, err, raw, copier }: TerminalPair,
    folder: CopyFolder | undefined,
    order: StartOrder,
    inherited: Inherited,
    listener: ProcessListener,
  ): TakenTerminals {
    const stdout = { name: 'stdout', terminal: out, raw, mark: new EndMark(out.path) } as const;
    const stderr = { name: 'stderr', terminal: err, raw: false, mark: new EndMark(err.path) } as const;
    const unread = copier === undefined ? undefined : beginUnread(copier, { stdout, stderr }, order, listener);
    if (copier === undefined || folder === undefined || unread === undefined) {
      copier?.close();
      return new TakenTerminals([stdout, stderr], inherited, listener);
    }
    return new TakenTerminals([stdout, stderr], inherited, listener, { copier, folder, unread });
  }

  /** In the order of their streams. */
  get all(): readonly Terminal[] {
    return this.#streams.map(({ terminal }) => terminal);
  }

  /** Tells the listener from now on what comes, until nothing can. */
  read(): readonly TerminalReader[] {
    this.#open = this.#streams.length;
    this.#readers = this.#streams.map((stream) => this.#reader(stream));
    return this.#readers;
  }

  /** The command has them, or does not need them. */
  closeSlaves(): void {
    for (const { slave } of this.all) closeSync(slave);
  }

  /** Nobody is going to read them. */
  letGo(): void {
    for (const { master } of this.all) {
      this.#inherited.delete(master);
      closeSync(master);
    }
    this.#copied?.copier.close();
    this.#copied?.unread.remove();
  }

  #reader({ name, terminal, raw, mark }: TakenStream): TerminalReader {
    const copied = this.#copied;
    const listener = this.#listener;
    return new TerminalReader({
      stream: name,
      terminal,
      mark,
      convert: !raw,
      copied,
      output: (chunk, place) => {
        if (chunk.length > 0) {
          copied?.unread.write();
          listener.output(name, chunk);
        }
        if (place !== undefined) copied?.unread.move(name, place);
      },
      passed: (place) => {
        copied?.unread.move(name, place);
        copied?.unread.write();
      },
      incomplete: (why) => listener.incomplete(why),
      closed: () => {
        this.#inherited.delete(terminal.master);
        this.#open -= 1;
        if (this.#open === 0) this.#end();
      },
    });
  }

  #end(): void {
    // In this order: as long as that file is there, the copies are what it says.
    this.#copied?.unread.remove();
    this.#copied?.copier.close();
    for (const reader of this.#readers) reader.removeCopies();
    this.#listener.closed();
  }
}

function beginUnread(
  copier: Copier,
  { stdout, stderr }: Readonly<Record<StreamName, TakenStream>>,
  { base, maxLogBytes, maxCaptureBytes }: StartOrder,
  listener: ProcessListener,
): UnreadFile | undefined {
  const { copies, pid, startTime } = copier;
  if (pid === undefined || !copier.works) return undefined;
  const known = ({ raw, mark }: TakenStream) => ({ raw, mark: mark.mark.toString('base64') });
  const task = {
    copies,
    keeper: pid,
    ...(startTime === undefined ? {} : { keeperStart: startTime }),
    maxLogBytes,
    maxCaptureBytes,
    streams: { stdout: known(stdout), stderr: known(stderr) },
  };
  try {
    return new UnreadFile(base, task, () => listener.written());
  } catch {
    return undefined;
  }
}
