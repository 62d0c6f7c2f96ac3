import type { Envelope, EventOf } from '../../../shared/model/event.ts';
import { forTerminal } from './forTerminal.ts';
import type { createPaint, Io } from './io.ts';

type Colour = Parameters<ReturnType<typeof createPaint>>[0];

export interface Printer {
  print(envelope: Envelope): void;
  /** The last line, once everything else is printed. */
  end(event: EventOf<'turn.finished'>): Promise<void>;
}

/** A printer that never waits: lines only. */
export interface LinePrinter extends Pick<Printer, 'print'> {
  end(event: EventOf<'turn.finished'>): void;
}

/**
 * Facts as lines. As JSON: each envelope on its own line, `turn.finished` last. For people: the model's words on
 * standard output, what happens on standard error. `answerOnly`: of the model's words only the final answer goes to
 * standard output, those on the way to standard error.
 */
export function createPrinter(
  io: Io,
  json: boolean,
  paint: ReturnType<typeof createPaint>,
  answerOnly = false,
): LinePrinter {
  let last: Envelope | undefined;
  let streamed = false;
  /** Words that may be the answer, or lead to a call. */
  let held = '';
  const note = (colour: Colour, text: string): void => {
    if (held.trim() !== '') io.err(`${forTerminal(held.trim())}\n`);
    held = '';
    if (streamed) io.out('\n');
    streamed = false;
    io.err(`${paint(colour, forTerminal(text))}\n`);
  };
  const tell = (envelope: Envelope): void => {
    const { event } = envelope;
    switch (event.type) {
      case 'text.delta':
        if (answerOnly) {
          held += event.text;
          return;
        }
        streamed = true;
        // What goes into a file or a pipe is the text itself.
        return io.out(io.stdoutIsTty ? forTerminal(event.text) : event.text);
      case 'phase.changed':
        return note('dim', `${event.from} → ${event.to}: ${event.cause}`);
      case 'tool.proposed':
        return note('dim', `· ${event.intent?.summary ?? event.tool}`);
      case 'permission.answered':
        return event.answer.decision === 'deny'
          ? note('yellow', `  denied: ${event.answer.reason ?? 'no reason given'}`)
          : undefined;
      case 'tool.finished':
        return event.result.success
          ? undefined
          : note('red', `  ${event.result.error.code}: ${event.result.error.message}`);
      case 'change.applied':
        return note(
          'green',
          event.files.map((file) => `  ${file.verdict} ${file.path} +${file.additions} −${file.deletions}`).join('\n'),
        );
      case 'task.backgrounded':
        return note('dim', `  in the background as ${event.task.id}: ${event.task.command}`);
      case 'task.ended':
        return event.task.background
          ? note('dim', `  ${event.task.id} ${event.task.state}, exit code ${event.task.exitCode ?? '–'}`)
          : undefined;
      case 'notice':
        return note(event.level === 'error' ? 'red' : 'yellow', event.text);
      case 'message':
        if (event.role === 'assistant' && held !== '') held += '\n';
        return;
      case 'text.restarted':
        held = '';
        return;
      default:
        return undefined;
    }
  };
  return {
    print(envelope) {
      if (envelope.event.type === 'turn.finished') last = envelope;
      else if (json) io.out(`${JSON.stringify(envelope)}\n`);
      else tell(envelope);
    },
    end(event) {
      if (json) return io.out(`${JSON.stringify(last)}\n`);
      if (streamed) io.out('\n');
      const isText = event.outcome === 'done' || event.outcome === 'answered' || event.outcome === 'incomplete';
      if (answerOnly && isText && event.text.trim() !== '') io.out(`${event.text.replace(/\n*$/, '')}\n`);
      if (event.outcome === 'incomplete') io.err(`${paint('yellow', forTerminal((event.open ?? []).join('\n')))}\n`);
      if (isText) return;
      if (held.trim() !== '') io.err(`${forTerminal(held.trim())}\n`);
      io.err(`${paint('red', forTerminal(`${event.outcome}: ${event.text || 'stopped'}`))}\n`);
    },
  };
}
