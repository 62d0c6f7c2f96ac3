import type { Task } from '../../../../shared/model/task.ts';
import type { Result } from '../../../../shared/result.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposer.ts';
import type { Hands } from '../../tools/frame/tool.ts';
import type { TaskPort } from '../../tools/shell/taskPort.ts';
import type { ProgramOutcome, ProgramRequest, RunProgram } from './program.ts';

export interface TaskProgramParts {
  readonly tasks: TaskPort;
  readonly clock: Clock;
  /** For what a task cannot do: a path with blanks and no words behind it. */
  readonly otherwise: RunProgram;
}

/** How often the size of a running output is looked at. */
const watchMs = 500;
const isFinal = ({ state }: Task): boolean => state !== 'queued' && state !== 'running';

/**
 * Runs a program as a task of the call: seen and stopped in the console, with everything it starts, and found again
 * after a crash. What takes long shows there as a background task while the call waits for its end. `added` is what
 * joins the usual environment of tasks; the request's own environment is for the other way.
 */
export function runAsTask(
  hands: Hands,
  added: Readonly<Record<string, string>>,
  { tasks, clock, otherwise }: TaskProgramParts,
): RunProgram {
  return async (request) => {
    const { file, args, cwd, timeoutMs, maxBytes, stdin } = request;
    // Without words beside it a program's path would be read as a command line.
    if (args.length === 0 && !/^[\w@%+=:,./-]+$/.test(file)) return otherwise(request);
    const watch = watchSize(hands.call, maxBytes, tasks, clock);
    const env = Object.keys(added).length > 0 ? { env: added } : {};
    const input = stdin === undefined ? {} : { input: stdin };
    const started = await hands.runCommand({ command: file, args, cwd, timeoutMs, terminal: 'none', ...env, ...input });
    if (!started.ok) {
      watch.dispose();
      const { code, message } = started.error;
      return watch.exceeded() || code !== 'CANCELLED' ? failed(message) : nothing('cancelled');
    }
    const stop = (): void => void tasks.cancel(started.value.task.id);
    hands.signal.addEventListener('abort', stop, { once: true });
    if (hands.signal.aborted) stop();
    const ended = await tasks.wait(started.value.task.id);
    hands.signal.removeEventListener('abort', stop);
    watch.dispose();
    return outcomeOf(ended, request, watch.exceeded(), tasks);
  };
}

async function outcomeOf(
  ended: Result<Task>,
  { maxBytes }: ProgramRequest,
  exceeded: boolean,
  tasks: TaskPort,
): Promise<ProgramOutcome> {
  if (!ended.ok) return failed(ended.error.message);
  const { id, state, exitCode = null, signal = null, error } = ended.value;
  const [whole, stdout, stderr] = await Promise.all([
    tasks.result(id),
    tasks.output(id, 'stdout', {}),
    tasks.output(id, 'stderr', {}),
  ]);
  const texts = {
    stdout: stdout.ok ? stdout.value.text : '',
    stderr: stderr.ok ? stderr.value.text : '',
  };
  // Of a stream over the limit only the beginning was kept; it tells by its length.
  const isCut = (text: string, chars: number): boolean => text.length >= maxBytes / 4 && [...text].length < chars;
  const over =
    exceeded ||
    (whole.ok && (isCut(texts.stdout, whole.value.stdoutChars) || isCut(texts.stderr, whole.value.stderrChars)));
  if (over) return { ...texts, exitCode, signal, ended: 'overflow' };
  switch (state) {
    case 'timeout':
      return { ...texts, exitCode, signal, ended: 'timeout' };
    case 'cancelled':
      return { ...texts, exitCode, signal, ended: 'cancelled' };
    case 'lost':
      return { ...texts, ...failed(error ?? 'The program was lost with the process that watched it.') };
    default:
      return { ...texts, exitCode, signal, ended: 'exit' };
  }
}

/** Ends the task of a call once both streams together must have passed the limit of one. */
function watchSize(
  call: string,
  maxBytes: number,
  tasks: TaskPort,
  clock: Clock,
): Disposable & { exceeded(): boolean } {
  let exceeded = false;
  let timer: Disposable | undefined;
  let over = false;
  const look = async (): Promise<void> => {
    const task = (await tasks.list()).find((one) => one.call === call && !isFinal(one));
    if (over) return;
    if (task !== undefined && task.outputBytes > 2 * maxBytes) {
      exceeded = true;
      await tasks.cancel(task.id);
    } else again();
  };
  const again = (): void => {
    timer = clock.after(watchMs, () => void look());
  };
  again();
  return {
    exceeded: () => exceeded,
    dispose() {
      over = true;
      timer?.dispose();
    },
  };
}

function nothing(ended: 'cancelled' | 'failed'): ProgramOutcome {
  return { stdout: '', stderr: '', exitCode: null, signal: null, ended };
}

function failed(failure: string): ProgramOutcome {
  return { ...nothing('failed'), failure };
}
