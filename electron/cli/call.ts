import type { ToolResult } from '../../shared/result.ts';
import type { PseudoResult } from '../engine/bridge/pseudoCli/shapes.ts';
import { checkRules } from './checkRules.ts';
import { type Parsed, textFlag } from './flags.ts';
import { exitCodes, type Io } from './io.ts';
import { startEngine } from './startEngine.ts';

/** `vise call 'codebolt …'`: one pseudo command, each tool in it through the same gate as any other. */
export async function runCall(parsed: Parsed, io: Io): Promise<number> {
  const [given, ...more] = parsed.words;
  if (given === undefined || more.length > 0) {
    io.err("vise call: give the command as one word in quotes: vise call 'codebolt fs read --path README.md'\n");
    return exitCodes.usage;
  }
  const wrongRules = await checkRules(parsed);
  if (wrongRules !== undefined) {
    io.err(`vise call: ${wrongRules}\n`);
    return exitCodes.usage;
  }
  const command = given === '-' ? await io.readStdin() : given;
  const path = textFlag(parsed, 'project') ?? io.cwd;
  const { engine, close } = startEngine(parsed, io, false);
  const print = (value: unknown): void =>
    io.out(`${JSON.stringify(value, undefined, io.stdoutIsTty ? 2 : undefined)}\n`);
  try {
    const project = await engine.project(path);
    if (!project.ok) {
      io.err(`vise call: ${project.error.message}\n`);
      return exitCodes.usage;
    }
    if (parsed.flags['parse'] === true) {
      const read = await project.value.bridge.parse(command);
      print(read);
      return read.error === undefined ? exitCodes.done : exitCodes.usage;
    }
    let denied = false;
    const stop = new AbortController();
    const interrupt = io.onInterrupt(() => {
      stop.abort();
      for (const { id } of engine.sessions.list()) void engine.sessions.live(id)?.agent.stop();
    });
    const result = await engine.callTool(path, 'codebolt_command', { command }, stop.signal, {
      onEvent(event) {
        // Messages of the command itself; a call within it has a longer id and tells its own output in its result.
        if (event.type === 'tool.output' && !event.call.includes('>')) io.err(event.text);
        if (event.type === 'permission.answered' && event.answer.decision === 'deny' && event.answer.by !== 'user')
          denied = true;
      },
    });
    const answer = pseudoResult(result);
    print(answer);
    // A thread that the command started in the background would end with this process.
    for (const { id } of stop.signal.aborted ? [] : engine.sessions.list())
      await engine.sessions.live(id)?.agent.rest();
    interrupt.dispose();
    if (stop.signal.aborted) return exitCodes.interrupted;
    if (answer.error === undefined) return exitCodes.done;
    if (denied) return exitCodes.denied;
    return answer.error.type === 'INVALID_TOOL_PARAMS' ? exitCodes.usage : exitCodes.failed;
  } finally {
    await close();
  }
}

/** What the pseudo CLI answered; where it was not reached, the failure in its form. */
function pseudoResult(result: ToolResult): PseudoResult {
  const told = result.success ? result.data : result.error.details;
  if (typeof told === 'object' && told !== null && 'llmContent' in told) return told as PseudoResult; // the tool's own answer
  const message = result.success ? 'The command answered nothing' : result.error.message;
  return {
    llmContent: `Error: ${message}`,
    returnDisplay: `Error: ${message}`.slice(0, 200),
    error: { message, type: 'EXECUTION_FAILED' },
  };
}
