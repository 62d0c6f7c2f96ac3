import type { Executor } from './executor.ts';
import type { ExecutorDeps } from './executorDeps.ts';
import { TaskExecutor } from './taskExecutor.ts';

export function createExecutor(deps: ExecutorDeps): Executor {
  return new TaskExecutor(deps);
}
