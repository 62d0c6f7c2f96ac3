import type { BackgroundReason, Task } from '../../../shared/model/task.ts';
import type { Result } from '../../../shared/result.ts';
import type { Disposable } from '../base/disposer.ts';
import type { CommandPlan } from './commandPlan.ts';
import type { TerminalKind } from './host/protocol.ts';
import type { Shadow } from './sandbox/shadow.ts';

export type { CommandPlan, TerminalKind };

/** What is to be run. Nothing in it is looked at again after it was approved. */
export interface CommandRequest {
  readonly command: string;
  /** Given and not empty: `command` is the program and these are its words; nothing is interpreted. */
  readonly args?: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly title?: string;
  /** Started in the background at once, as a place is free (reason `explicit`). */
  readonly background?: boolean;
  /** From the start of the command, not from its queueing. */
  readonly timeoutMs?: number;
  /** In place of one that was asked for: holds as long as the command is waited for, not in the background. */
  readonly usualTimeoutMs?: number;
  /** Added to the environment, after secrets were taken out. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: `full` for one in the background from the start, else `output`, which has empty input. */
  readonly terminal?: TerminalKind;
  /** All that its standard input holds, which then ends; only with the terminal `none`. */
  readonly input?: string;
  /** Nothing outside temporary folders can be written, no network: for phases that only read. Fails closed. */
  readonly readOnly?: boolean;
  /** It works on this copy in place of the project; `cwd` is the folder of the project that the copy's stands for. */
  readonly shadow?: Shadow;
}

/** Who wants it and who hears about it. */
export interface CommandContext {
  /** The session; it comes back with every event. */
  readonly owner: string;
  readonly call?: string;
  /** Aborting stops the command as long as it is in the foreground. */
  readonly signal?: AbortSignal;
  /** New output as plain text, now and then and not all of it: for eyes only. */
  readonly output?: (text: string) => void;
}

/** The output of a command as plain text, cut to the limit of the settings. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  /** Code points of the whole streams. */
  readonly stdoutChars: number;
  readonly stderrChars: number;
}

/** `finished` is any end: completed with any exit code, timeout, or lost with the host. */
export type CommandOutcome =
  | {
      readonly kind: 'finished';
      readonly task: Task;
      readonly output: CommandOutput;
      /** What the plan had to say about the command. */
      readonly hint?: string;
    }
  | {
      readonly kind: 'background';
      readonly task: Task;
      readonly reason: BackgroundReason;
      readonly thresholdSeconds: number;
      /** What was written so far; empty when it was never in the foreground. */
      readonly output: CommandOutput;
    };

export interface OutputQuery {
  /** Code points from the beginning of the stream. */
  readonly offset?: number;
  readonly maxChars?: number;
  readonly tailLines?: number;
}

export interface StreamSlice {
  readonly text: string;
  readonly nextOffset: number;
  /** The task has ended and this is the rest. */
  readonly eof: boolean;
}

export interface LogSlice {
  /** Plain text: escape sequences are interpreted. */
  readonly text: string;
  readonly nextOffset: number;
  readonly sizeBytes: number;
  readonly path: string;
}

export type ExecEvent =
  | {
      readonly type: 'queued' | 'started' | 'backgrounded' | 'changed' | 'ended';
      readonly owner: string;
      readonly task: Task;
    }
  | { readonly type: 'removed'; readonly owner: string; readonly task: string };

export interface AttachOptions {
  readonly columns: number;
  readonly rows: number;
  /** Everything after the screen. The bytes are the listener's; it acknowledges what it has dealt with. */
  readonly onBytes: (bytes: Buffer) => void;
  readonly onEnd: () => void;
}

export interface Attached extends Disposable {
  /** Sequences that paint the screen so far. `onBytes` is not called before the promise's reactions have run. */
  readonly screen: string;
  readonly ended: boolean;
  /** Whether LF must also return the carriage (`convertEol` of xterm): agent commands are not converted by the kernel. */
  readonly convertEol: boolean;
  ack(bytes: number): void;
}

export interface Cancelled {
  readonly cancelled: boolean;
  readonly task: Task;
}

/** Runs commands as tasks. Answers are for a call; events are for whoever watches. */
export interface Executor {
  /** Reads a command as `run` would, without running it. Errors: VALIDATION_ERROR, COMMAND_NOT_FOUND, NOT_EXECUTABLE. */
  plan(request: CommandRequest): Result<CommandPlan>;
  /** Errors: those of `plan`, UNAVAILABLE (no sandbox, no host), TOOL_EXECUTION_FAILED (the system refused), CANCELLED. */
  run(request: CommandRequest, context: CommandContext): Promise<Result<CommandOutcome>>;
  /** A shell of the person's own. */
  shell(owner: string, cwd: string, columns: number, rows: number): Promise<Result<Task>>;
  on(listen: (event: ExecEvent) => void): Disposable;
  get(id: string): Task | undefined;
  list(): readonly Task[];
  /** The task, once it is final or `timeoutMs` have passed. TASK_NOT_FOUND. */
  wait(id: string, timeoutMs?: number, signal?: AbortSignal): Promise<Result<Task>>;
  /** Whole output cut to the limit, as in the answer of `run`. TASK_NOT_FOUND. */
  result(id: string): Promise<Result<CommandOutput>>;
  /** A part of one stream. TASK_NOT_FOUND. */
  output(id: string, stream: 'stdout' | 'stderr', query: OutputQuery): Promise<Result<StreamSlice>>;
  /** A part of the log file, offsets in bytes. TASK_NOT_FOUND. */
  log(id: string, offset: number, maxBytes: number): Promise<Result<LogSlice>>;
  /** Resolves when every process is gone, or what was left after KILL is named in the task. TASK_NOT_FOUND. */
  cancel(id: string): Promise<Result<Cancelled>>;
  /** Ends what outlived a finished task. TASK_NOT_FOUND. */
  endSurvivors(id: string): Promise<Result<Task>>;
  /** The same command again as a new task in the background. TASK_NOT_FOUND and the errors of `run`. */
  restart(id: string): Promise<Result<Task>>;
  /** Forgets a final task and its files. TASK_NOT_FOUND; CONFLICT while it runs. */
  remove(id: string): Result<null>;
  /** Ends all that a session had started, and forgets its tasks and their files. */
  forget(owner: string): Promise<void>;
  input(id: string, data: string): Result<null>;
  resize(id: string, columns: number, rows: number): Result<null>;
  attach(id: string, options: AttachOptions): Promise<Result<Attached>>;
  /** Starts the host ahead of the first command; never fails. */
  warm(): void;
  /** The settings have changed: places in the queue may have. */
  settingsChanged(): void;
  /**
   * Takes over what runs in hosts that an earlier engine left running, and settles what an earlier engine knew as not final:
   * found again, ended in the meantime, or lost (then what is left of it is ended). Tells it by events.
   */
  recover(known: readonly { readonly owner: string; readonly task: Task }[]): Promise<void>;
  /** Ends everything that runs, or leaves it to the host with `keep`; not said: as the settings have it. */
  dispose(keep?: boolean): Promise<void>;
}
