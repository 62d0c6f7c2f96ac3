import type { Envelope, EventOf } from '../../../shared/model/event.ts';
import { forTerminal } from './forTerminal.ts';
import type { createPaint, Io } from './io.ts';

type Colour = Parameters<ReturnType<typeof createPaint>>[0];

export interface Printer {
  print(envelope: Envelope): void;
  /** The last line, once everything else is printed. */
  end(event: EventOf<'turn.finished'>): void;
}

/**
 * Facts as lines. As JSON: each envelope on its own line, `turn.finished` last. For people: the model's words on
 * standard output, what happens on standard error.
 */
export function createPrinter(io: Io, json: boolean, paint: ReturnType<typeof createPaint>): Printer {
  let last: Envelope | undefined;
  let streamed = false;
  const note = (colour: Colour, text: string): void => {
    if (streamed) io.out('\n');
    streamed = false;
    io.err(`${paint(colour, forTerminal(text))}\n`);
  };
  const tell = (envelope: Envelope): void => {
    const { event } = envelope;
    switch (event.type) {
      case 'text.delta':
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
      if (event.outcome === 'done') return;
      io.err(`${paint('red', forTerminal(`${event.outcome}: ${event.text || 'stopped'}`))}\n`);
    },
  };
}
