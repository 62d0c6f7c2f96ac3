import type { Envelope, EventOf } from '../../shared/model/event.ts';
import type { Failure } from '../../shared/result.ts';
import { keepYoungSmall } from '../engine/base/youngGeneration.ts';
import { settleBackground } from './base/background.ts';
import { createPaint, exitCodes, type Io, refuse } from './base/io.ts';
import { openSession, resumedId, resumeOf } from './base/openSession.ts';
import type { Parsed } from './base/parseFlags.ts';
import { pipedAttachment, readAll } from './base/pipedInput.ts';
import { createJsonPrinter, createLinePrinter, type LinePrinter, type Printer } from './base/printEvents.ts';
import { type Started, withEngine } from './base/startEngine.ts';
import { tellUsage } from './base/usageLine.ts';

/** What the contract takes for one message (`text` of contract/common.ts). */
const maxTaskChars = 2_000_000;

/** `vise exec`: one task, its facts as they happen, and an exit code that says how it ended. */
export async function runExec(parsed: Parsed, io: Io): Promise<number> {
  // A reply is read in garbage that dies at once: a task needs 3 to 10 MB less for the same time (docs/benchmarks.md). Not
  // before its code is loaded: most of that stays, and is copied time and again where there is little room (25 ms).
  keepYoungSmall();
  const text = await taskText(parsed, io);
  const resume = resumeOf(parsed);
  if (text.trim() === '' && resume === undefined)
    return refuse(
      io,
      'exec',
      'say what is to be done: vise exec "fix the failing test"; "-" reads it from standard input.',
    );
  if (text.length > maxTaskChars)
    return refuse(
      io,
      'exec',
      `the task has ${text.length} characters; at most ${maxTaskChars} can be sent. Put the rest into a file of the project.`,
    );
  return withEngine('exec', parsed, io, (started) => runTask(started, parsed, io, text, resume));
}

async function taskText(parsed: Parsed, io: Io): Promise<string> {
  const text = parsed.words.join(' ');
  return text === '-' ? readAll(io, 'exec', 'the task') : text;
}

async function runTask(
  started: Started,
  parsed: Parsed,
  io: Io,
  text: string,
  resume: string | undefined,
): Promise<number> {
  const { client, engine } = started;
  const found = resume === undefined ? undefined : await resumedId(engine, parsed, io, resume);
  if (found?.ok === false) return usageError(io, found.error);
  const ready = await engine.checkProvider(found?.value);
  if (!ready.ok) return usageError(io, ready.error);
  const isWord = text.trim() !== '' && parsed.words.join(' ') !== '-';
  const attachments = isWord ? await pipedAttachment(io, 'exec') : [];
  const session = await openSession(started, parsed, io, found?.value);
  if (!session.ok) return usageError(io, session.error);
  const id = session.value;

  const { printer, shownIo, close } = await openPrinter(started, parsed, io, id);
  let denied = false;
  let interrupted = false;
  const ended = Promise.withResolvers<EventOf<'turn.finished'>>();
  const onEvent = (envelope: Envelope): void => {
    const { event } = envelope;
    if (event.type === 'permission.answered' && event.answer.decision === 'deny' && event.answer.by !== 'user')
      denied = true;
    printer.print(envelope);
    if (event.type === 'turn.finished') ended.resolve(event);
  };
  // From the engine's own stream: the facts before the watch (session.started) belong to the output too.
  const watching = engine.hub.watchAll((envelope) => {
    if (envelope.session === id) onEvent(envelope);
  });
  for (const envelope of resume === undefined ? engine.factsOf(id) : []) onEvent(envelope);

  const stop = io.onInterrupt(() => {
    interrupted = true;
    void client.call('session.stop', { session: id });
  });
  const sent =
    text.trim() === ''
      ? await client.call('session.continue', { session: id })
      : await client.call('session.send', { session: id, text, attachments: [...attachments] });
  if (!sent.ok) {
    watching.dispose();
    stop.dispose();
    close();
    return usageError(io, sent.error);
  }
  const end = await ended.promise;
  stop.dispose();
  const code = await settleBackground(engine, 'exec', parsed, shownIo, exitCodeOf(end, denied, interrupted));
  watching.dispose();
  await printer.end(end);
  if (parsed.flags['json'] !== true) {
    const say = (line: string): void => shownIo.err(`${createPaint(io, io.stderrIsTty)('dim', line)}\n`);
    await tellUsage(started, id, say, io !== shownIo);
  }
  close();
  return code;
}

interface Shown {
  readonly printer: Printer | LinePrinter;
  /** For what else is printed while the printer has lines that change on the terminal. */
  readonly shownIo: Io;
  close(): void;
}

/** On a terminal what happens is followed as it happens; a pipe, a file and `--json` get lines and nothing else. */
async function openPrinter({ client, engine }: Started, parsed: Parsed, io: Io, session: string): Promise<Shown> {
  const json = parsed.flags['json'] === true;
  const state = engine.sessions.live(session)?.session.state;
  if (json || !io.stderrIsTty || io.screen === undefined || state === undefined) {
    const printer = json
      ? createJsonPrinter(io)
      : createLinePrinter(io, createPaint(io, io.stderrIsTty), !io.stdoutIsTty);
    return { printer, shownIo: io, close: () => undefined };
  }
  const { openScreen, openTerminalPrinter } = await import('./terminal/openTerminalPrinter.ts');
  const { screen, io: shownIo, close } = openScreen(io, io.screen);
  const printer = openTerminalPrinter(io, screen, client, state);
  return {
    printer,
    shownIo,
    close() {
      printer.dispose();
      close();
      io.err(createPaint(io, true)('dim', `resume: vise exec --resume ${session}\n`));
    },
  };
}

function exitCodeOf(end: EventOf<'turn.finished'>, denied: boolean, interrupted: boolean): number {
  if (interrupted || end.outcome === 'cancelled') return exitCodes.interrupted;
  if (end.error?.code.startsWith('PROVIDER_')) return exitCodes.provider;
  // A turn fails with these only where the configuration or the script cannot be read; tools answer the model instead.
  if (end.error?.code === 'CONFIG_INVALID' || end.error?.code === 'FILE_NOT_FOUND') return exitCodes.usage;
  if (denied) return exitCodes.denied;
  return end.outcome === 'done' || end.outcome === 'answered' ? exitCodes.done : exitCodes.failed;
}

function usageError(io: Io, { code, message }: Failure): number {
  return refuse(io, 'exec', message, code === 'PROVIDER_UNREACHABLE' ? exitCodes.provider : exitCodes.usage);
}
