import type { Task } from '../../../shared/model/task.ts';
import type { Engine } from '../../engine/engine.ts';
import { forTerminal } from './forTerminal.ts';
import { exitCodes, type Io } from './io.ts';
import type { Flag, Parsed } from './parseFlags.ts';

/** What becomes of background tasks when a command has done its work. */
export const backgroundFlags: readonly Flag[] = [
  { name: 'wait', about: 'stay until background tasks have ended (the default)' },
  { name: 'no-wait', about: 'stop background tasks at the end, and say which' },
  { name: 'keep', about: 'leave background tasks running, and say which' },
];

export const keepsTasks = (parsed: Parsed): true | undefined => (parsed.flags['keep'] === true ? true : undefined);

/**
 * Sees to the tasks that a command has started in the background: waits for them, leaves them running, or names those that
 * end with the engine. Answers the exit code: 1 where work was cut off that nobody had stopped.
 */
export async function settleBackground(
  engine: Pick<Engine, 'tasks'>,
  command: string,
  parsed: Parsed,
  io: Io,
  code: number,
): Promise<number> {
  const tell = (what: string, tasks: readonly Task[]): void => {
    for (const { id, command: line, pid } of tasks)
      io.err(`vise ${command}: ${what} ${id}${pid === undefined ? '' : ` (process ${pid})`}: ${forTerminal(line)}\n`);
  };
  const running = await engine.tasks.running();
  if (running.length === 0) return code;
  if (parsed.flags['keep'] === true) {
    await engine.tasks.begun();
    tell('left running', await engine.tasks.running());
    return code;
  }
  if (code === exitCodes.interrupted || parsed.flags['no-wait'] === true) {
    tell('stopped', running);
    return code === exitCodes.done ? exitCodes.failed : code;
  }
  if (io.stderrIsTty) tell('waits for', running);
  const interrupted = Promise.withResolvers<true>();
  const interrupt = io.onInterrupt(() => interrupted.resolve(true));
  const isCut = await Promise.race([engine.tasks.rest(), interrupted.promise]);
  interrupt.dispose();
  if (isCut !== true) return code;
  tell('stopped', await engine.tasks.running());
  return exitCodes.interrupted;
}
