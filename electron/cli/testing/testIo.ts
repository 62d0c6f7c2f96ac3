import type { InputLine } from '../base/inputLines.ts';
import { inputLines } from '../base/inputLines.ts';
import type { Io } from '../base/io.ts';

export interface TestIo extends Io {
  /** What was printed so far. */
  readonly printed: { out: string; err: string };
}

/** A process of a test's own: nothing of it is a terminal, `stdin` is all that comes in. */
export function createTestIo(cwd: string, stdin = '', env: Io['env'] = {}): TestIo {
  const printed = { out: '', err: '' };
  return {
    printed,
    env,
    cwd,
    stdoutIsTty: false,
    stderrIsTty: false,
    stdinIsTty: false,
    out(text) {
      printed.out += text;
    },
    err(text) {
      printed.err += text;
    },
    readStdin: async () => stdin,
    readPiped: async () => (stdin === '' ? undefined : stdin),
    stdinLines: (): AsyncIterable<InputLine> => inputLines(oneChunk(stdin)),
    onInterrupt: () => ({ dispose: () => undefined }),
  };
}

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text;
}
