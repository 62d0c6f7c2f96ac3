import type { Task } from '../../../shared/model/task.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { CommandOutput, LogSlice, OutputQuery, StreamSlice } from './executor.ts';
import type { ExecutorDeps } from './executorDeps.ts';
import { isFinal, type TaskBoard } from './taskBoard.ts';
import { readLog, readOutput, readStream } from './taskOutput.ts';
import type { TaskRecord } from './taskRecord.ts';
import { codePoints, sliceCodePoints } from './truncate.ts';

/** What can be asked of a task without changing it: its end, its output, its log. */
export class TaskAnswers {
  readonly #deps: ExecutorDeps;
  readonly #board: TaskBoard;

  constructor(deps: ExecutorDeps, board: TaskBoard) {
    this.#deps = deps;
    this.#board = board;
  }

  async wait(id: string, timeoutMs?: number, signal?: AbortSignal): Promise<Result<Task>> {
    const record = this.#board.get(id);
    if (record === undefined) return missing(id);
    const ends: Promise<unknown>[] = [record.ended.promise];
    const timer = Promise.withResolvers<void>();
    const clock = timeoutMs === undefined ? undefined : this.#deps.clock.after(timeoutMs, () => timer.resolve());
    if (timeoutMs !== undefined || signal !== undefined) ends.push(timer.promise);
    const stop = (): void => timer.resolve();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    await Promise.race(ends);
    clock?.dispose();
    signal?.removeEventListener('abort', stop);
    return ok(record.task);
  }

  async result(id: string): Promise<Result<CommandOutput>> {
    const record = this.#board.get(id);
    return record === undefined ? missing(id) : ok(await this.read(record));
  }

  async output(id: string, stream: 'stdout' | 'stderr', query: OutputQuery): Promise<Result<StreamSlice>> {
    const record = this.#board.get(id);
    if (record === undefined) return missing(id);
    const final = isFinal(record.task);
    const { text: whole } = await readStream(record.order.base, stream, record.exit?.[stream], 0, !final);
    const total = codePoints(whole);
    const offset = Math.min(query.offset ?? 0, total);
    let start = offset;
    if (query.tailLines !== undefined) {
      const from = sliceCodePoints(whole, offset);
      start = total - codePoints(lastLines(from, query.tailLines));
    }
    const text = sliceCodePoints(whole, start, query.maxChars === undefined ? undefined : start + query.maxChars);
    const nextOffset = start + codePoints(text);
    return ok({ text, nextOffset, eof: final && nextOffset >= total });
  }

  async log(id: string, offset: number, maxBytes: number): Promise<Result<LogSlice>> {
    const record = this.#board.get(id);
    return record === undefined ? missing(id) : ok(await readLog(`${record.order.base}.log`, offset, maxBytes));
  }

  /** The whole output cut to the limit of the settings. */
  read(record: TaskRecord): Promise<CommandOutput> {
    return readOutput(record.order.base, record.exit, this.#deps.settings().shell.maxOutputChars);
  }
}

function lastLines(text: string, count: number): string {
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  let at = end;
  for (let left = count; left > 0 && at >= 0; left -= 1) at = text.lastIndexOf('\n', at - 1);
  return count <= 0 ? '' : text.slice(at + 1);
}

/** No task has this id. */
export function missing(id: string): Result<never> {
  return fail('TASK_NOT_FOUND', id === '' ? 'task_id is required' : `Task '${id}' not found`);
}
