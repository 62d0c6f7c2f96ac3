import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import type { Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { processStart } from '../processTree.ts';
import { CopierChannel, type CopierEnd } from './copierChannel.ts';
import type { Mask } from './inherited.ts';
import type { StreamName } from './outputStore.ts';
import { readBytes, readsOfSegment, shortName } from './segments.ts';

/** When the host is gone and no engine ends what holds the terminals, they are given up after this. */
const defaultHoldSeconds = 10;

const dd = `dd bs=${readBytes} count=${readsOfSegment}`;
/**
 * The terminals come as 0 and 1: only those the system makes ones that block. 3 and 4 are the channels of the streams; 3 says
 * which stream goes on with which segment. 2 may be a slave: opening it by its path would make it the controlling terminal of
 * this session. When the host is gone, what the kernel still holds of a stream whose copier has
 * done its part is copied too; then all of this ends, and what is empty is removed.
 */
const script = `
umask 077
trap '' HUP INT PIPE
base=$1
if [ "$2" = prepare ] && stty -onlcr <&2 2>/dev/null; then out=raw; else out=plain; fi
exec 5<&0 6<&1 </dev/null >/dev/null 2>&1
echo $out >&3
out() { [ "$1" = 0 ] || wait "$out"; ${dd} <&5 2>&3 >"$base.out.$1" & out=$! nextOut=$(($1 + 1)); echo "pid $out" >&3; }
err() { [ "$1" = 0 ] || wait "$err"; ${dd} <&6 2>&4 >"$base.err.$1" & err=$! nextErr=$(($1 + 1)); echo "pid $err" >&4; }
out 0
err 0
while read -r stream segment <&3; do
  case $stream in
    out) out "$segment" ;;
    err) err "$segment" ;;
  esac
done
(sleep "$3"; kill -KILL 0) &
if wait "$out"; then ${dd} <&5 >"$base.out.$nextOut"; fi
if wait "$err"; then ${dd} <&6 >"$base.err.$nextErr"; fi
for file in "$base".*; do [ -s "$file" ] || rm -f "$file"; done
rmdir "\${base%/*}"
kill -KILL 0
`;

export interface CopiedTerminal {
  readonly master: number;
  readonly slave: number;
}

/** Whether this system has what copiers need; else the host reads the terminals itself. */
export function canCopy(env: NodeJS.ProcessEnv): boolean {
  if (process.platform === 'win32') return false;
  const places = (env['PATH'] ?? '').split(delimiter).filter((place) => place !== '');
  return (
    isProgram('/bin/sh') &&
    ['dd', 'sleep', 'rm', 'rmdir'].every((name) => places.some((at) => isProgram(join(at, name))))
  );
}

/**
 * Reads both terminals of a command and writes what comes into files: one `dd` for each, started by a small shell. They have
 * nothing to do but that and outlive this process: what a command has written is never in the hands of one that is killed.
 */
export class Copier {
  /** Path of the files without suffix. */
  readonly copies: string;
  /** Whether the kernel passes LF of stdout as it is; resolves when it has been seen to. */
  readonly raw: Promise<boolean>;
  readonly #process: ChildProcess;
  readonly #channels: Readonly<Record<StreamName, CopierChannel>>;

  /** With `prepare` the conversion of line ends is turned off for stdout, which may be a flood; it takes a process. `mask` gives what stands for the descriptors from a number on. */
  constructor(
    copies: string,
    [out, err]: readonly [CopiedTerminal, CopiedTerminal],
    prepare: boolean,
    mask: (from: number) => Mask,
    holdSeconds = defaultHoldSeconds,
  ) {
    this.copies = copies;
    this.#process = spawn(
      '/bin/sh',
      ['-c', script, 'vise-copier', copies, prepare ? 'prepare' : 'copy', String(holdSeconds)],
      {
        detached: true, // a session and a group of its own: no key reaches it, and all of it can be ended at once
        stdio: [out.master, err.master, prepare ? out.slave : 'ignore', 'pipe', 'pipe', ...mask(5)],
        env: { PATH: process.env['PATH'], LC_ALL: 'C' },
      },
    );
    this.#process.on('error', () => undefined); // its channels close
    const [, , , stdout, stderr] = this.#process.stdio;
    // A `pipe` is a socket.
    this.#channels = { stdout: new CopierChannel(stdout as Socket), stderr: new CopierChannel(stderr as Socket) };
    this.raw = this.#channels.stdout.raw;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** As the kernel counts it. */
  get startTime(): string | undefined {
    return this.pid === undefined ? undefined : processStart(this.pid);
  }

  /** Whether both streams are being copied. */
  get works(): boolean {
    return this.#isThere && this.#channels.stdout.works && this.#channels.stderr.works;
  }

  onEnd(stream: StreamName, heard: (end: CopierEnd) => void): void {
    this.#channels[stream].onEnd(heard);
  }

  /** Has a stream gone on with the next segment; false when there is nobody left to do it. */
  begin(stream: StreamName, segment: number): boolean {
    if (!this.#isThere) return false;
    this.#channels[stream].begun();
    this.#channels.stdout.say(`${shortName[stream]} ${segment}\n`);
    return true;
  }

  /** Notices a copier that died without a word. */
  look(stream: StreamName): void {
    this.#channels[stream].look();
  }

  /** Nothing is to be copied any more. */
  close(): void {
    try {
      if (this.pid !== undefined && this.#isThere) process.kill(-this.pid, 'SIGKILL');
    } catch {
      // gone in the meantime
    }
    for (const channel of Object.values(this.#channels)) channel.close();
  }

  get #isThere(): boolean {
    return this.pid !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
