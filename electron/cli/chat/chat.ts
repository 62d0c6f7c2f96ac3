import type { Readable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { namesPrompt } from '../../../shared/contract/namesPrompt.ts';
import type { Failure, Result } from '../../../shared/result.ts';
import { parseSlash } from '../../../shared/text/slashCommands.ts';
import { describeError } from '../../engine/base/log.ts';
import { forTerminal } from '../base/forTerminal.ts';
import { homePath } from '../base/homePath.ts';
import { createPaint, exitCodes, type Io, refuse } from '../base/io.ts';
import { openSession, resumedId, resumeOf } from '../base/openSession.ts';
import { type Parsed, projectOf } from '../base/parseFlags.ts';
import { type Started, withEngine } from '../base/startEngine.ts';
import { tellUsage } from '../base/usageLine.ts';
import type { Screen } from '../terminal/screen.ts';
import { indented, type Style } from '../terminal/spans.ts';
import { completeLine } from './completeLine.ts';
import { type Listening, listen } from './listen.ts';
import { runSlash } from './runSlash.ts';
import { showLastExchange } from './showLastExchange.ts';
import { openPipe, type Terminal } from './terminal.ts';

interface Talk {
  readonly started: Started;
  readonly parsed: Parsed;
  readonly io: Io;
  readonly terminal: Terminal;
  /** Undefined where the person is a pipe. */
  readonly screen?: Screen;
}

/** `vise chat`: a conversation in a terminal. The end of input ends it with 0; a fault in a turn does not end it. */
export function runChat(parsed: Parsed, io: Io, input: Readable = process.stdin): Promise<number> {
  const run = async (started: Started): Promise<number> => {
    if (!io.stdinIsTty || !io.stdoutIsTty || io.screen === undefined) {
      const terminal = openPipe(io, input);
      return chat({ started, parsed, io, terminal }).finally(() => terminal.close());
    }
    const [{ openScreen }, { openEditor }] = await Promise.all([
      import('../terminal/openTerminalPrinter.ts'),
      import('./lineEditor.ts'),
    ]);
    const { screen, io: shownIo, close } = openScreen(io, io.screen);
    const terminal = openEditor(io, screen, input as ReadStream); // standard input, which is a terminal
    return chat({ started, parsed, io: shownIo, terminal, screen }).finally(() => {
      terminal.close();
      close();
    });
  };
  return withEngine('chat', parsed, io, run, true);
}

async function chat(talk: Talk): Promise<number> {
  const { started, parsed, io, terminal, screen } = talk;
  const { engine, client } = started;
  const project = projectOf(parsed, io);
  const resume = resumeOf(parsed);
  const found = resume === undefined ? undefined : await resumedId(engine, parsed, io, resume);
  if (found?.ok === false) return refuse(io, 'chat', found.error.message);
  const ready = await engine.checkProvider(found?.value);
  const first = await openSession(started, parsed, io, found?.value);
  if (!first.ok) return refuse(io, 'chat', first.error.message);
  let id = first.value;
  const paint = createPaint(io);
  let told = '';
  const tellProblem = ({ message }: Failure): void => {
    // Said in full once, it stands above.
    const said = message === told ? `Not sent: ${message.split(/(?<=\.)\s/)[0]}` : message;
    told = message;
    tell(talk, said, io.err, 'yellow');
  };
  if (!ready.ok) tellProblem(ready.error);
  io.out(paint('dim', `${screen ? homePath(project, io) : project} · /help lists the commands\n`));
  const showLast = (): void => showLastExchange(engine.sessions.live(id)?.session.state, io, screen);
  if (resume !== undefined) showLast();

  terminal.onTab((line) => completeLine(line, { client, project, session: id }));
  const leaving = Promise.withResolvers<'left'>();
  /** Commands typed while a turn ran. */
  const held: string[] = [];
  const follow = (): Listening =>
    listen({ started, terminal, io, screen, session: id, held, leave: () => leaving.resolve('left') });
  for (;;) {
    const line = heldLine(held) ?? (await Promise.race([promptLine(talk, leaving.resolve), leaving.promise]));
    if (line === undefined) return sayResume(talk, id, exitCodes.done);
    if (line === 'left') return sayResume(talk, id, exitCodes.interrupted);
    const text = line.text;
    if (text.trim() === '') continue;
    try {
      const slash = parseSlash(text.trim(), 'terminal');
      if (slash.kind === 'text' || (slash.kind === 'unknown' && (await namesPrompt(client, project, text)))) {
        // Another terminal may have mended it since.
        const askable = await engine.checkProvider(id);
        if (!askable.ok) {
          tellProblem(askable.error);
          continue;
        }
        const listening = follow();
        const over = await Promise.race([
          turn(talk, listening, () => client.call('session.send', { session: id, text })),
          leaving.promise,
        ]);
        listening.stop();
        if (over === 'left') return sayResume(talk, id, exitCodes.interrupted);
        await tellUsage(started, id, (told) => io.out(`${paint('dim', told)}\n`), screen !== undefined);
        continue;
      }
      if (slash.kind !== 'command') {
        io.out(`${slash.text}\n`);
        continue;
      }
      const listening = follow();
      const next = await runSlash(slash.name, slash.args, {
        io,
        terminal,
        started,
        project,
        screen,
        session: () => id,
      });
      const over = next.kind === 'turn' ? await Promise.race([listening.ended, leaving.promise]) : undefined;
      listening.stop();
      if (over === 'left') return sayResume(talk, id, exitCodes.interrupted);
      if (next.kind === 'exit') return sayResume(talk, id, exitCodes.done);
      if (next.kind === 'session') ({ id } = next);
      if (next.kind === 'new') {
        const made = await openSession(started, parsed, io, undefined);
        if (made.ok) id = made.value;
        else tell(talk, `error: ${made.error.message}`);
      }
      if (next.kind === 'session' || next.kind === 'new') io.out(`session: ${id}\n`);
      if (next.kind === 'session') showLast();
    } catch (error) {
      tell(talk, `error: ${describeError(error)}`);
    }
  }
}

/** An interrupt at the prompt says how to leave: nothing runs that it could end. A second one leaves. */
async function promptLine({ terminal, io }: Talk, leave: (how: 'left') => void): Promise<Line | undefined> {
  let pressed = false;
  terminal.onInterrupt(() => {
    if (pressed) return leave('left');
    pressed = true;
    io.out('(Ctrl-C again, /exit or the end of input leaves)\n');
  });
  const text = await terminal.line('> ');
  return text === undefined ? undefined : { text };
}

interface Line {
  readonly text: string;
}

function heldLine(held: string[]): Line | undefined {
  const text = held.shift();
  return text === undefined ? undefined : { text };
}

/** Words of ours or of the engine: within the width of a terminal, as they are (through `print`) for a pipe. */
function tell({ io, screen }: Talk, text: string, print = io.out, ...styles: readonly Style[]): void {
  const lines = forTerminal(text).split('\n');
  if (!screen) return print(`${lines.join('\n')}\n`);
  screen.print(lines.flatMap((line) => indented(line, screen.columns() - 1, ...styles)));
}

async function turn(talk: Talk, listening: Listening, begin: () => Promise<Result<unknown>>): Promise<void> {
  const begun = await begin();
  if (begun.ok) await listening.ended;
  else tell(talk, `error: ${begun.error.message}`);
}

/** How to go on later; told to a person alone, and where there is something to go on with. */
function sayResume({ started, io, screen }: Talk, id: string, code: number): number {
  const turns = started.engine.sessions.live(id)?.session.state.turns ?? 0;
  if (screen && turns > 0) io.out(createPaint(io)('dim', `resume: vise chat --resume ${id}\n`));
  return code;
}
