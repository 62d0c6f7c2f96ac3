import type { Client } from '../../../shared/contract/client.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { systemClock } from '../../engine/base/clock.ts';
import type { Io, ScreenSize } from '../base/io.ts';
import type { Printer } from '../base/printEvents.ts';
import { createScreen } from './screen.ts';
import { createTerminalPrinter } from './terminalPrinter.ts';

export interface TerminalOutput {
  readonly printer: Printer;
  /** Prints above the lines that change. */
  readonly io: Io;
  close(): void;
}

/**
 * A printer of one session on the terminal of this process, which goes on from `state`. Where standard output is none, it gets
 * the final answer alone.
 */
export function openTerminalPrinter(
  io: Io,
  size: ScreenSize,
  client: Client,
  state: SessionState,
  hint: string,
): TerminalOutput {
  const screen = createScreen(io, size);
  // A second interrupt ends the process at once: the cursor must be seen again.
  const restore = (): void => screen.close();
  process.once('exit', restore);
  const printer = createTerminalPrinter({
    screen,
    clock: systemClock,
    answerTo: io.stdoutIsTty ? undefined : io.out,
    hint,
    model: state.model,
    phase: state.mode === 'phased' ? state.facts.phase : undefined,
    async content(id) {
      if (id === null) return null;
      const read = await client.call('content.read', { session: state.id, id });
      return read.ok ? (read.value.text ?? undefined) : undefined;
    },
  });
  const throughScreen: Io = {
    ...io,
    out: (text) => screen.write(text, 'out'),
    err: (text) => screen.write(text, 'err'),
  };
  return {
    printer,
    io: throughScreen,
    close() {
      process.off('exit', restore);
      printer.dispose();
      screen.close();
    },
  };
}
