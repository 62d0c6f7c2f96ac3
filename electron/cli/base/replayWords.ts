import type { Envelope } from '../../../shared/model/event.ts';
import { forTerminal } from './forTerminal.ts';
import { createPaint, type Io } from './io.ts';
import { createLinePrinter } from './printEvents.ts';

/** A journal as a person reads it, on standard output: who said what, and what happened between. */
export function replayWords(envelopes: readonly Envelope[], io: Io): void {
  const paint = createPaint(io);
  const printer = createLinePrinter({ ...io, err: io.out }, paint);
  const said = (who: string, text: string): void => {
    const shown = io.stdoutIsTty ? forTerminal(text) : text;
    io.out(`${paint('bold', `${who}:`)}\n${shown.trimEnd()}\n`);
  };
  for (const envelope of envelopes) {
    const { event } = envelope;
    if (event.type === 'session.started') {
      const { id, project, provider, model, mode } = event;
      io.out(`${paint('dim', forTerminal(`${id} in ${project}, ${mode}, ${provider}/${model}, ${envelope.at}`))}\n`);
    } else if (event.type === 'turn.started') {
      if (event.text !== '') said('You', event.text);
    } else if (event.type === 'message') {
      if (event.text.trim() !== '' && event.role !== 'system')
        said(event.role === 'user' ? 'You' : 'Agent', event.text);
    } else if (event.type === 'turn.finished') printer.end(event);
    else printer.print(envelope);
  }
}
