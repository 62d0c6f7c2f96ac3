import type { Envelope, EventOf } from '../../../shared/model/event.ts';
import { forTerminal } from './forTerminal.ts';
import type { Io, Tone } from './io.ts';
import { createTeller, isAnswer, type Style, tellEnd } from './tellFacts.ts';

export interface Printer {
  print(envelope: Envelope): void;
  /** The last line, once everything else is printed. */
  end(event: EventOf<'turn.finished'>): Promise<void>;
}

/** A printer that never waits: lines only. */
export interface LinePrinter extends Pick<Printer, 'print'> {
  end(event: EventOf<'turn.finished'>): void;
}

/** Each envelope on a line of its own, as JSON; `turn.finished` last. */
export function createJsonPrinter(io: Io): LinePrinter {
  let last: Envelope | undefined;
  return {
    print(envelope) {
      if (envelope.event.type === 'turn.finished') last = envelope;
      else io.out(`${JSON.stringify(envelope)}\n`);
    },
    end: () => io.out(`${JSON.stringify(last)}\n`),
  };
}

/**
 * Facts as lines: the model's words on standard output, what happens on standard error. `answerOnly`: of the model's words only
 * the final answer goes to standard output, those on the way to standard error.
 */
export function createLinePrinter(
  io: Io,
  paint: (tone: Tone, text: string) => string,
  answerOnly = false,
): LinePrinter {
  let streamed = false;
  /** Words that may be the answer, or lead to a call. */
  let held = '';
  const flush = (): void => {
    if (held.trim() !== '') io.err(`${forTerminal(held.trim())}\n`);
    held = '';
    if (streamed) io.out('\n');
    streamed = false;
  };
  const style: Style = {
    words(text) {
      if (answerOnly) {
        held += text;
        return;
      }
      streamed = true;
      // What goes into a file or a pipe is the text itself.
      io.out(io.stdoutIsTty ? forTerminal(text) : text);
    },
    endWords() {
      if (held !== '') held += '\n';
    },
    dropWords() {
      held = '';
    },
    flush,
    note(text, tone) {
      flush();
      const shown = forTerminal(text);
      io.err(`${tone === undefined ? shown : paint(tone, shown)}\n`);
    },
  };
  const tell = createTeller(style);
  return {
    print(envelope) {
      if (envelope.event.type !== 'turn.finished') tell(envelope);
    },
    end(event) {
      if (isAnswer(event)) held = '';
      flush();
      if (answerOnly && isAnswer(event) && event.text.trim() !== '') io.out(`${event.text.replace(/\n*$/, '')}\n`);
      tellEnd(event, style);
      if (!isAnswer(event) && event.text === '') style.note(event.outcome, 'red');
    },
  };
}
