import { type InputLine, inputLines } from './inputLines.ts';
import { interruptListener } from './interruptListener.ts';
import { readPiped } from './readPiped.ts';

/** What a command may touch of its process; tests have one of their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdoutIsTty: boolean;
  readonly stderrIsTty: boolean;
  readonly stdinIsTty: boolean;
  out(text: string): void;
  err(text: string): void;
  /** What goes into a file or a pipe as it is, where `out` is guarded. */
  exact?(text: string): void;
  readStdin(): Promise<string>;
  /** What is piped in beside the words of a command; undefined where nothing is. */
  readPiped(): Promise<string | undefined>;
  /** Standard input line by line, as it comes. */
  stdinLines(): AsyncIterable<InputLine>;
  /** The size of the terminal that shows what is printed; undefined where there is none, or one that only takes lines. */
  readonly screen?: ScreenSize | undefined;
  /** Colours are unwanted, though a terminal could show them. */
  readonly noColour?: boolean;
  /** Hears the first interrupt; a second one, which a person has to mean, ends the process at once. */
  onInterrupt(run: () => void): { dispose(): void };
}

/** Columns and rows now; both change with the window. */
export interface ScreenSize {
  columns(): number;
  rows(): number;
  onResize(run: () => void): { dispose(): void };
}

/** The exit codes of the public surface. */
export const exitCodes = { done: 0, failed: 1, usage: 2, denied: 3, provider: 4, interrupted: 130 } as const;

/** Says why a command did not do it; answers the exit code. */
export function refuse(io: Io, command: string, why: string, code: number = exitCodes.usage): number {
  io.err(`vise ${command}: ${why}\n`);
  return code;
}

/** Runs something that the first interrupt stops. */
export async function interruptible<T>(io: Io, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const interrupt = io.onInterrupt(() => stop.abort());
  try {
    return await run(stop.signal);
  } finally {
    interrupt.dispose();
  }
}

/** The process as it is. Undefined where its folder has been deleted under it. */
export function processIo(): Io | undefined {
  const cwd = currentFolder();
  if (cwd === undefined) return undefined;
  calmStreams();
  return {
    env: process.env,
    cwd,
    stdoutIsTty: process.stdout.isTTY,
    stderrIsTty: process.stderr.isTTY,
    stdinIsTty: process.stdin.isTTY,
    screen: screenOf(process.stderr.isTTY ? process.stderr : process.stdout),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    async readStdin() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    },
    readPiped: () => readPiped(process.stdin),
    stdinLines: () => inputLines(process.stdin),
    onInterrupt(run) {
      const listen = interruptListener(
        run,
        () => process.exit(exitCodes.interrupted),
        () => performance.now(),
      );
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, listen);
      return {
        dispose() {
          for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, listen);
        },
      };
    },
  };
}

function screenOf(stream: NodeJS.WriteStream): ScreenSize | undefined {
  if (!stream.isTTY || process.env['TERM'] === 'dumb') return undefined;
  return {
    columns: () => stream.columns || 80,
    rows: () => stream.rows || 24,
    onResize(run) {
      stream.on('resize', run);
      return { dispose: () => void stream.off('resize', run) };
    },
  };
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/**
 * A reader that has seen enough (`vise tools | head -1`) is no failure: what it does not read is dropped and the command
 * goes on, as `vise serve` must. A full disk behind stdout is one, told once.
 */
function calmStreams(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || process.exitCode === exitCodes.failed) return;
    process.exitCode = exitCodes.failed;
    process.stderr.write(`vise: what was to be printed could not be written: ${error.message}\n`);
  });
  process.stderr.on('error', () => undefined);
}

/** Whether colours are seen on a stream: a tty, without NO_COLOR and `--no-color`. */
export function showsColours(io: Io, isTty: boolean = io.stdoutIsTty): boolean {
  return isTty && !io.env['NO_COLOR'] && io.noColour !== true && io.env['TERM'] !== 'dumb';
}

const tones = { dim: 2, red: 31, green: 32, yellow: 33, bold: 1 } as const;

/** How a line looks that is not the model's own. */
export type Tone = keyof typeof tones;

/** A paint that paints only where colours are seen, each line for itself; `isTty` is of the stream that it is for. */
export function createPaint(io: Io, isTty: boolean = io.stdoutIsTty): (tone: Tone, text: string) => string {
  const colours = showsColours(io, isTty);
  return (tone, text) => (colours ? text.replaceAll(/[^\n]+/g, `\u001B[${tones[tone]}m$&\u001B[0m`) : text);
}
