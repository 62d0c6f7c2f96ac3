import { type ChildProcess, spawn } from 'node:child_process';
import type { Mask } from './inherited.ts';

/** Input that the command does not read is kept up to this size. */
const maxInputBytes = 1024 * 1024;

/**
 * Writes to a terminal that is copied, which blocks: a `dd` waits in our place while the command does not read. Started by the
 * first key.
 */
export class Typer {
  readonly #master: number;
  readonly #mask: (from: number) => Mask;
  #process: ChildProcess | undefined;

  constructor(master: number, mask: (from: number) => Mask) {
    this.#master = master;
    this.#mask = mask;
  }

  write(data: string): void {
    const { stdin } = this.#process ?? this.#start();
    if ((stdin?.writableLength ?? 0) + data.length <= maxInputBytes) stdin?.write(data);
  }

  close(): void {
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }

  #start(): ChildProcess {
    const typer = spawn('dd', ['bs=4096'], {
      stdio: ['pipe', this.#master, 'ignore', ...this.#mask(3)],
      env: { PATH: process.env['PATH'] },
    });
    const gone = (): void => {
      if (this.#process === typer) this.#process = undefined; // the terminal is gone, or the next key tries again
    };
    typer.on('error', gone);
    typer.on('exit', gone);
    typer.stdin?.on('error', gone);
    this.#process = typer;
    return typer;
  }
}
