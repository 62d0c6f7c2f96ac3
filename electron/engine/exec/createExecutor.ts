import type { Executor } from './executor.ts';
import type { ExecutorParts } from './executorParts.ts';
import { TaskExecutor } from './taskExecutor.ts';

export function createExecutor(parts: ExecutorParts): Executor {
  return new TaskExecutor(parts);
}
