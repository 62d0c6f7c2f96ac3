import type { Client } from '../../../shared/contract/client.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { systemClock } from '../../engine/base/clock.ts';
import type { Disposable } from '../../engine/base/disposer.ts';
import { diffOfFile } from '../../engine/workspace/diffOfFile.ts';
import type { Io, ScreenSize } from '../base/io.ts';
import { keptText } from '../base/keptText.ts';
import type { Printer } from '../base/printEvents.ts';
import { createScreen, type Screen } from './screen.ts';
import { createTerminalPrinter } from './terminalPrinter.ts';

export interface OpenedScreen {
  readonly screen: Screen;
  /** Prints above the lines that change. */
  readonly io: Io;
  close(): void;
}

/** The terminal of this process, left as it was when it is closed or the process ends. */
export function openScreen(io: Io, size: ScreenSize): OpenedScreen {
  const screen = createScreen(io, size);
  // A second interrupt ends the process at once: the cursor must be seen again.
  const restore = (): void => screen.close();
  process.once('exit', restore);
  return {
    screen,
    io: { ...io, out: (text) => screen.write(text, 'out'), err: (text) => screen.write(text, 'err') },
    close() {
      process.off('exit', restore);
      screen.close();
    },
  };
}

/**
 * A printer of one session, which goes on from `state`. Where standard output is no terminal, it gets the final answer alone.
 * `isShown`: the changes of this call were shown when it was asked about.
 */
export function openTerminalPrinter(
  io: Io,
  screen: Screen,
  client: Client,
  state: SessionState,
  isShown?: (call: string) => boolean,
): Printer & Disposable {
  return createTerminalPrinter({
    screen,
    clock: systemClock,
    answerTo: io.stdoutIsTty ? undefined : io.out,
    hint: 'Ctrl-C stops',
    model: state.model,
    phase: state.mode === 'phased' ? state.facts.phase : undefined,
    diff: (file) => diffOfFile(file, keptText(client, state.id)),
    isShown: isShown ?? (() => false),
  });
}
