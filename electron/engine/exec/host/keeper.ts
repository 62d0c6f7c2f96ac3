import { type ChildProcess, spawn } from 'node:child_process';

/** What the kernel holds of one terminal is 64 KB and a little: a command that goes on printing is not followed for ever. */
const script = `
umask 077
trap '' HUP INT
base=$1
read -r end && exit 0
drain() { dd bs=4096 count=64 2>/dev/null | tee -a "$base.log" >>"$base.$1"; }
drain out <&3
drain err <&4
sleep 0.1
drain out <&3
drain err <&4
`;

/**
 * A small shell that holds both terminals of a command open, so that what the command has written does not die with a host
 * that is killed: then it brings that into the task's files and ends.
 */
export class Keeper {
  readonly #process: ChildProcess;

  /** `base` is the path of the task's files without suffix; `mask` gives what stands for the descriptors from a number on, none of which it may inherit. */
  constructor(base: string, out: number, err: number, mask: (from: number) => readonly number[]) {
    this.#process = spawn('/bin/sh', ['-c', script, 'vise-keeper', base], {
      stdio: ['pipe', 'ignore', 'ignore', out, err, ...mask(5)],
    });
    this.#process.on('error', () => undefined); // then nobody keeps: as it is on a system without a shell
    this.#process.stdin?.on('error', () => undefined); // it has gone already
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Everything has been read, or is not wanted. */
  release(): void {
    this.#process.stdin?.end('end\n');
  }
}
