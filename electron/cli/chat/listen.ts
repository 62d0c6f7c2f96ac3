import type { Envelope, EventOf } from '../../../shared/model/event.ts';
import { parseSlash } from '../../../shared/text/slashCommands.ts';
import { forTerminal } from '../base/forTerminal.ts';
import { createPaint, type Io } from '../base/io.ts';
import { createLinePrinter, type LinePrinter, type Printer } from '../base/printEvents.ts';
import type { Started } from '../base/startEngine.ts';
import { openTerminalPrinter } from '../terminal/openTerminalPrinter.ts';
import type { Screen } from '../terminal/screen.ts';
import { askPerson } from './askPerson.ts';
import type { Terminal } from './terminal.ts';

export interface Listening {
  /** No turn runs any more, and no message that was typed in between begins another. */
  readonly ended: Promise<void>;
  stop(): void;
}

interface ListenDeps {
  readonly started: Started;
  readonly terminal: Terminal;
  readonly io: Io;
  readonly screen: Screen | undefined;
  readonly session: string;
  /** Takes commands that are typed while a turn runs. */
  readonly held: string[];
  /** The person wants to leave while a turn runs. */
  leave(): void;
}

/**
 * Prints what happens in a session, asks what must be asked, and passes on what is typed meanwhile, until the turn has
 * ended: words join the conversation at its next step, commands wait in `held`.
 */
export function listen(deps: ListenDeps): Listening {
  const { started, terminal, io, screen, session: id, held } = deps;
  const { client, engine } = started;
  const paint = createPaint(io);
  const shown = new Set<string>();
  const state = engine.sessions.live(id)?.session.state;
  const onTerminal =
    screen && state ? openTerminalPrinter(io, screen, client, state, (call) => shown.has(call)) : undefined;
  const printer: Printer | LinePrinter = onTerminal ?? createLinePrinter(io, paint);
  const proposed = new Map<string, EventOf<'tool.proposed'>>();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let asking: Promise<void> = Promise.resolve();
  const isRunning = (): boolean => engine.sessions.live(id)?.agent.running ?? false;
  /** One question after the other: two prompts at once could not be told apart. */
  const ask = (session: string, event: EventOf<'permission.asked'>, asker?: string): void => {
    asking = asking.then(() => {
      if (asker !== undefined) io.out(`The subagent ${forTerminal(asker)} asks:\n`);
      return askPerson({ io, terminal, client, session, screen }, event, proposed.get(event.call));
    });
  };
  /** It has no line of its own here: only what it asks is put before the person. */
  const ofSubagent = ({ session, event }: Envelope): void => {
    const of = engine.sessions.live(session)?.session.state;
    if (of?.subagentOf?.session !== id) return;
    if (event.type === 'tool.proposed') proposed.set(event.call, event);
    if (event.type === 'permission.asked') ask(session, event, of.title);
  };
  const onEvent = (envelope: Envelope): void => {
    const { event } = envelope;
    if (envelope.session !== id) return ofSubagent(envelope);
    printer.print(envelope);
    if (event.type === 'tool.proposed') proposed.set(event.call, event);
    if (event.type === 'permission.asked') {
      shown.add(event.call);
      ask(id, event);
    }
    if (event.type === 'turn.finished') {
      terminal.dismiss();
      const printed: Promise<void> | void = printer.end(event);
      // A message that came too late for this turn begins the next one by itself.
      const settle = (): void => {
        if (!isRunning()) resolve();
      };
      void Promise.resolve(printed).then(() => setImmediate(settle));
    }
  };
  const interject = async (line: string): Promise<void> => {
    if (line.trim() === '') return;
    if (parseSlash(line.trim(), 'terminal').kind !== 'text' || !isRunning()) {
      held.push(line);
      if (isRunning()) io.err(paint('dim', `(${forTerminal(line.trim())}: when the turn has ended)\n`));
      return;
    }
    const sent = await client.call('session.send', { session: id, text: line });
    io.err(
      sent.ok ? paint('dim', '(heard: it joins at the next step)\n') : `error: ${forTerminal(sent.error.message)}\n`,
    );
  };
  const watching = engine.hub.watchAll(onEvent);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return deps.leave();
    stopping = true;
    if (isRunning()) io.err(paint('dim', '(stopping; Ctrl-C again leaves)\n'));
    void client.call('session.stop', { session: id });
  };
  terminal.onInterrupt(stop);
  terminal.onLine((line) => void interject(line));
  const interrupted = io.onInterrupt(stop);
  return {
    ended,
    stop() {
      terminal.onLine();
      terminal.dismiss();
      onTerminal?.dispose();
      watching.dispose();
      interrupted.dispose();
    },
  };
}
