import { type ChildProcess, spawn } from 'node:child_process';
import type { TerminalPaths } from './terminal.ts';

/** After a host's death: what the kernel holds of one terminal is 64 KB and a little; a command that goes on printing is not followed. */
const script = `
umask 077
trap '' HUP INT
for tty in "$@"; do if stty -onlcr <"$tty" 2>/dev/null; then echo y; else echo n; fi; done
IFS= read -r base || exit 0
read -r end && exit 0
drain() { dd bs=4096 count=64 2>/dev/null | tee -a "$base.log" >>"$base.$1"; }
drain out <&3
drain err <&4
sleep 0.1
drain out <&3
drain err <&4
`;

/**
 * A small shell beside each pair of terminals. It switches their conversion of line ends off, which takes a process and is
 * worth it: the kernel moves lines nearly twice as fast without. Then it keeps the terminals open, so that what a command has
 * written does not die with a host that is killed: it brings that into the task's files and ends.
 */
export class Keeper {
  readonly #process: ChildProcess;
  readonly #answers: Promise<readonly boolean[]>;
  #keeps = false;

  /** `mask` gives what stands for the descriptors from a number on, none of which it may inherit. */
  constructor({ out, err }: TerminalPaths, mask: (from: number) => readonly number[]) {
    this.#process = spawn('/bin/sh', ['-c', script, 'vise-keeper', out.path, err.path], {
      stdio: ['pipe', 'pipe', 'ignore', out.master, err.master, ...mask(5)],
    });
    const { stdin, stdout } = this.#process;
    this.#answers = new Promise((resolve) => {
      let text = '';
      stdout?.on('data', (data: Buffer) => {
        text += data.toString('latin1').replaceAll('\n', '');
        if (text.length >= 2) resolve([...text].map((answer) => answer === 'y'));
      });
      this.#process.on('error', () => resolve([false, false]));
      this.#process.on('exit', () => resolve([false, false]));
    });
    stdin?.on('error', () => undefined); // it has gone already
  }

  /** Whether LF passes both terminals as it is; resolves when they are ready. */
  async raw(): Promise<boolean> {
    return (await this.#answers).every(Boolean);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** From now on it answers for the output of the task with these files. */
  keep(base: string): void {
    this.#keeps = true;
    this.#process.stdin?.write(`${base}\n`);
  }

  /** Everything has been read, or is not wanted. */
  release(): void {
    this.#process.stdin?.end(this.#keeps ? 'end\n' : '');
  }
}
