export const taskStates = ['queued', 'running', 'completed', 'failed', 'cancelled', 'timeout', 'lost'] as const;
export type TaskState = (typeof taskStates)[number];

export const finalTaskStates: readonly TaskState[] = ['completed', 'failed', 'cancelled', 'timeout', 'lost'];

/** Why a command is not waited for. */
export type BackgroundReason = 'estimated' | 'measured' | 'explicit';

/** One command that runs or ran. Times are ISO, durations milliseconds, sizes bytes. */
export interface Task {
  readonly id: string;
  readonly title: string;
  readonly command: string;
  readonly argv?: readonly string[];
  readonly mode: 'shell' | 'direct';
  readonly cwd: string;
  readonly kind: 'agent' | 'user';
  readonly state: TaskState;
  readonly call?: string;
  readonly background?: BackgroundReason;
  readonly estimateSeconds?: number;
  /** 1-based place among the queued ones. */
  readonly place?: number;
  readonly pid?: number;
  readonly ports?: readonly number[];
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly lastOutputAt?: string;
  /** Set while a silent task looks as if it waited for an answer; the line that looks like a prompt. */
  readonly stalledOn?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly error?: string;
  readonly outputBytes: number;
  readonly logPath?: string;
  /** Processes of this task that outlived it, by id. */
  readonly survivors?: readonly number[];
}
