import type { ToolResult } from '../../shared/result.ts';
import type { PseudoResult } from '../engine/bridge/pseudoCli/shapes.ts';
import type { ModelImage } from '../engine/model/base/port.ts';
import { settleBackground } from './base/background.ts';
import { exitCodes, type Io, interruptible, refuse } from './base/io.ts';
import { type Parsed, projectOf } from './base/parseFlags.ts';
import { readAll } from './base/pipedInput.ts';
import { withEngine } from './base/startEngine.ts';
import { withPictures } from './base/withPictures.ts';

/** `vise call 'codebolt …'`: one pseudo command, each tool in it through the same gate as any other. */
export async function runCall(parsed: Parsed, io: Io): Promise<number> {
  const [given, ...more] = parsed.words;
  if (given === undefined || more.length > 0)
    return refuse(io, 'call', "give the command as one word in quotes: vise call 'codebolt fs read --path README.md'");
  const command = given === '-' ? await readAll(io, 'call', 'the command') : given;
  const path = projectOf(parsed, io);
  const print = (value: unknown): void =>
    io.out(`${JSON.stringify(value, undefined, io.stdoutIsTty ? 2 : undefined)}\n`);
  return withEngine('call', parsed, io, async ({ engine }) => {
    const project = await engine.project(path);
    if (!project.ok) return refuse(io, 'call', project.error.message);
    if (parsed.flags['parse'] === true) {
      const read = await project.value.bridge.parse(command);
      print(read);
      return read.error === undefined ? exitCodes.done : exitCodes.usage;
    }
    let denied = false;
    const answer = await interruptible(io, async (signal) => {
      const agents = () => engine.sessions.list().flatMap(({ id }) => engine.sessions.live(id)?.agent ?? []);
      signal.addEventListener('abort', () => void agents().map((agent) => agent.stop()));
      let pictures: readonly ModelImage[] = [];
      const result = await engine.callTool(path, 'codebolt_command', { command }, signal, {
        onPictures: (brought) => {
          pictures = brought;
        },
        onEvent(event) {
          // Messages of the command itself; a call within it has a longer id and tells its own output in its result.
          if (event.type === 'tool.output' && !event.call.includes('>')) io.err(event.text);
          if (event.type === 'permission.answered' && event.answer.decision === 'deny' && event.answer.by !== 'user')
            denied = true;
        },
      });
      const shown = pseudoResult(result);
      print(withPictures(shown, pictures));
      // A thread that the command started in the background would end with this process.
      for (const agent of signal.aborted ? [] : agents()) await agent.rest();
      return signal.aborted ? undefined : shown;
    });
    return settleBackground(engine, 'call', parsed, io, exitCodeOf(answer, denied));
  });
}

function exitCodeOf(answer: PseudoResult | undefined, denied: boolean): number {
  if (answer === undefined) return exitCodes.interrupted;
  if (answer.error === undefined) return exitCodes.done;
  if (denied) return exitCodes.denied;
  return answer.error.type === 'INVALID_TOOL_PARAMS' ? exitCodes.usage : exitCodes.failed;
}

/** What the pseudo CLI answered; where it was not reached, the failure in its form. */
function pseudoResult(result: ToolResult): PseudoResult {
  const shown = result.success ? result.data : result.error.details;
  if (typeof shown === 'object' && shown !== null && 'llmContent' in shown) return shown as PseudoResult; // the tool's own answer
  const message = result.success ? 'The command answered nothing' : result.error.message;
  return {
    llmContent: `Error: ${message}`,
    returnDisplay: `Error: ${message}`.slice(0, 200),
    error: { message, type: 'EXECUTION_FAILED' },
  };
}
