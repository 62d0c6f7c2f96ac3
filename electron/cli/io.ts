import { interruptEar } from './interruptEar.ts';

/** What a command may touch of its process; tests lend their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdoutIsTty: boolean;
  readonly stdinIsTty: boolean;
  out(text: string): void;
  err(text: string): void;
  readStdin(): Promise<string>;
  /** Hears the first interrupt; a second one, which a person has to mean, ends the process at once. */
  onInterrupt(run: () => void): { dispose(): void };
}

/** The exit codes of the public surface. */
export const exitCodes = { done: 0, failed: 1, usage: 2, denied: 3, provider: 4, interrupted: 130 } as const;

export function processIo(): Io {
  return {
    env: process.env,
    cwd: process.cwd(),
    stdoutIsTty: process.stdout.isTTY,
    stdinIsTty: process.stdin.isTTY,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    async readStdin() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    },
    onInterrupt(run) {
      const listen = interruptEar(
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

/** A paint that paints only where colours are seen (a tty without NO_COLOR). */
export function createPaint(io: Io): (code: 'dim' | 'red' | 'green' | 'yellow' | 'bold', text: string) => string {
  const codes = { dim: 2, red: 31, green: 32, yellow: 33, bold: 1 };
  const colours = io.stdoutIsTty && !io.env['NO_COLOR'];
  return (code, text) => (colours ? `\u001B[${codes[code]}m${text}\u001B[0m` : text);
}
