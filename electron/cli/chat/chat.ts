import type { Readable } from 'node:stream';
import { namesPrompt } from '../../../shared/contract/namesPrompt.ts';
import type { Envelope, EventOf } from '../../../shared/model/event.ts';
import type { Result } from '../../../shared/result.ts';
import { parseSlash } from '../../../shared/text/slashCommands.ts';
import { describeError } from '../../engine/base/log.ts';
import { type Parsed, projectOf, textFlag } from '../base/flags.ts';
import { forTerminal } from '../base/forTerminal.ts';
import { createPaint, exitCodes, type Io, refuse } from '../base/io.ts';
import { openSession } from '../base/openSession.ts';
import { createPrinter } from '../base/printEvents.ts';
import { type Started, withEngine } from '../base/startEngine.ts';
import { tellUsage } from '../base/usageLine.ts';
import { askPerson } from './askPerson.ts';
import { completeLine } from './completeLine.ts';
import { runSlash } from './runSlash.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** `vise chat`: a conversation in a terminal. The end of input ends it with 0; a fault in a turn does not end it. */
export function runChat(parsed: Parsed, io: Io, input: Readable = process.stdin): Promise<number> {
  const run = async (started: Started): Promise<number> => {
    const terminal = openTerminal(io, input, io.stdinIsTty && io.stdoutIsTty);
    try {
      return await chat(started, terminal, parsed, io);
    } finally {
      terminal.close();
    }
  };
  return withEngine('chat', parsed, io, run, true);
}

async function chat(started: Started, terminal: Terminal, parsed: Parsed, io: Io): Promise<number> {
  const { engine } = started;
  const project = projectOf(parsed, io);
  const resume = textFlag(parsed, 'resume');
  const ready = await engine.checkProvider(resume);
  const first = await openSession(started, parsed, io, resume);
  if (!first.ok) return refuse(io, 'chat', first.error.message);
  if (!ready.ok) io.err(`${ready.error.message}\n`);
  let id = first.value;
  const paint = createPaint(io);
  io.out(paint('dim', `${project} · /help lists the commands\n`));

  terminal.onTab((line) => completeLine(line, { client: started.client, project, session: id }));
  /** Commands typed while a turn ran. */
  const held: string[] = [];
  const follow = (): Listening => listen(started, terminal, io, id, held);
  for (;;) {
    const line = held.shift() ?? (await promptLine(terminal, io));
    if (line === undefined) return exitCodes.done;
    if (line.trim() === '') continue;
    try {
      const slash = parseSlash(line.trim(), 'terminal');
      if (slash.kind === 'text' || (slash.kind === 'unknown' && (await namesPrompt(started.client, project, line)))) {
        await turn(follow(), io, () => started.client.call('session.send', { session: id, text: line }));
        await tellUsage(started, id, (line) => io.out(`${paint('dim', line)}\n`));
        continue;
      }
      if (slash.kind !== 'command') {
        io.out(`${slash.text}\n`);
        continue;
      }
      const listening = follow();
      const next = await runSlash(slash.name, slash.args, { io, terminal, started, project, session: () => id });
      if (next.kind === 'turn') await listening.ended;
      listening.stop();
      if (next.kind === 'exit') return exitCodes.done;
      if (next.kind === 'session') ({ id } = next);
      if (next.kind === 'new') {
        const made = await openSession(started, parsed, io, undefined);
        if (made.ok) id = made.value;
        else io.out(`error: ${forTerminal(made.error.message)}\n`);
      }
      if (next.kind === 'session' || next.kind === 'new') io.out(`session: ${id}\n`);
    } catch (error) {
      io.out(`error: ${forTerminal(describeError(error))}\n`);
    }
  }
}

/** An interrupt at the prompt only says how to leave: nothing runs that it could end. */
async function promptLine(terminal: Terminal, io: Io): Promise<string | undefined> {
  terminal.onInterrupt(() => io.out('\n(/exit or the end of input leaves)\n> '));
  return terminal.line('> ');
}

async function turn(listening: Listening, io: Io, begin: () => Promise<Result<unknown>>): Promise<void> {
  const begun = await begin();
  if (begun.ok) await listening.ended;
  else io.out(`error: ${forTerminal(begun.error.message)}\n`);
  listening.stop();
}

interface Listening {
  /** No turn runs any more, and no message that was typed in between begins another. */
  readonly ended: Promise<void>;
  stop(): void;
}

/**
 * Prints what happens in a session, asks what must be asked, and passes on what is typed meanwhile, until the turn has
 * ended: words join the conversation at its next step, commands wait in `held`.
 */
function listen(started: Started, terminal: Terminal, io: Io, id: string, held: string[]): Listening {
  const { client, engine } = started;
  const paint = createPaint(io);
  const printer = createPrinter(io, false, paint);
  const proposed = new Map<string, EventOf<'tool.proposed'>>();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let asking: Promise<void> = Promise.resolve();
  const isRunning = (): boolean => engine.sessions.live(id)?.agent.running ?? false;
  const onEvent = (envelope: Envelope): void => {
    const { event } = envelope;
    if (envelope.session !== id) return;
    printer.print(envelope);
    if (event.type === 'tool.proposed') proposed.set(event.call, event);
    if (event.type === 'permission.asked') {
      // One question after the other: two prompts at once could not be told apart.
      asking = asking.then(() => askPerson({ io, terminal, client, session: id }, event, proposed.get(event.call)));
    }
    if (event.type === 'turn.finished') {
      printer.end(event);
      // A message that came too late for this turn begins the next one by itself.
      setImmediate(() => {
        if (!isRunning()) resolve();
      });
    }
  };
  const interject = async (line: string): Promise<void> => {
    if (line.trim() === '') return;
    if (parseSlash(line.trim(), 'terminal').kind !== 'text' || !isRunning()) {
      held.push(line);
      io.err(paint('dim', `(${line.trim()}: when the turn has ended)\n`));
      return;
    }
    const sent = await client.call('session.send', { session: id, text: line });
    io.err(
      sent.ok ? paint('dim', '(heard: it joins at the next step)\n') : `error: ${forTerminal(sent.error.message)}\n`,
    );
  };
  const watching = engine.hub.watchAll(onEvent);
  const stop = (): void => void client.call('session.stop', { session: id });
  terminal.onInterrupt(stop);
  terminal.onLine((line) => void interject(line));
  const interrupted = io.onInterrupt(stop);
  return {
    ended,
    stop() {
      terminal.onLine();
      watching.dispose();
      interrupted.dispose();
    },
  };
}
