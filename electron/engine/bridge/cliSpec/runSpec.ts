import { parseOutput } from './parseOutput.ts';
import type { ProgramOutcome, RunProgram } from './program.ts';
import type { SpecCommand } from './specTypes.ts';

/** What a bridged command answered, in the blocks that an MCP client gets. */
export interface SpecOutcome {
  readonly isError: boolean;
  readonly blocks: readonly string[];
  readonly structured?: { readonly value: unknown };
  readonly exitCode: number | null;
  /** The first 2,000 characters of stderr, for the trace; not part of a good answer. */
  readonly stderr: string;
}

export interface SpecRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 300_000;
export const maxOutputBytes = 10 * 1024 * 1024;
/** Of output that broke the limit, this much is given. */
const maxCutChars = 100_000;

/** Runs one command of a spec and reads its output. It never throws. */
export async function runSpec(command: SpecCommand, request: SpecRun, run: RunProgram): Promise<SpecOutcome> {
  const timeoutMs = Math.min(command.timeoutMs ?? defaultTimeoutMs, maxTimeoutMs);
  const outcome = await run({ ...request, timeoutMs, maxBytes: maxOutputBytes });
  return {
    ...describeOutcome(command, outcome, timeoutMs),
    exitCode: outcome.exitCode,
    stderr: outcome.stderr.slice(0, 2_000),
  };
}

type Described = Pick<SpecOutcome, 'isError' | 'blocks' | 'structured'>;

function describeOutcome(command: SpecCommand, outcome: ProgramOutcome, timeoutMs: number): Described {
  const { stdout, stderr, exitCode, signal } = outcome;
  const error = (...blocks: readonly string[]): Described => ({ isError: true, blocks });
  switch (outcome.ended) {
    case 'failed':
      return error(`Execution failed: ${outcome.failure ?? 'unknown'}`);
    case 'overflow':
      return error(cut(stdout), '[output limit 10 MB exceeded]');
    case 'timeout':
      return error(cut(stdout), `[timed out after ${timeoutMs} ms]`);
    case 'cancelled':
      return error(cut(stdout), '[cancelled]');
    case 'exit': {
      if (signal !== null) return error(cut(stdout), `[signal: ${signal}]`);
      const { text, structured } = parseOutput(stdout, command.output);
      if (exitCode !== 0) return error(text, `[exit code: ${exitCode}]\n${cut(stderr)}`);
      return { isError: false, blocks: [text], ...(structured ? { structured } : {}) };
    }
  }
}

function cut(text: string): string {
  return text.slice(0, maxCutChars);
}
