import type { Task } from '../../../../shared/model/task.ts';
import type { Result } from '../../../../shared/result.ts';
import type {
  Cancelled,
  CommandOutput,
  CommandPlan,
  CommandRequest,
  OutputQuery,
  StreamSlice,
} from '../../exec/executor.ts';

/** The part of the executor that the shell tools need; behind it the executor is started at its first use. */
export interface TaskPort {
  plan(request: CommandRequest): Promise<Result<CommandPlan>>;
  list(): Promise<readonly Task[]>;
  get(id: string): Promise<Task | undefined>;
  wait(id: string, timeoutMs?: number, signal?: AbortSignal): Promise<Result<Task>>;
  result(id: string): Promise<Result<CommandOutput>>;
  output(id: string, stream: 'stdout' | 'stderr', query: OutputQuery): Promise<Result<StreamSlice>>;
  cancel(id: string): Promise<Result<Cancelled>>;
  /** The limit of the settings, for the message beside cut output. */
  maxOutputChars(): number;
}
