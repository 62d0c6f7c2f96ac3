import type { ProcessMark } from '../../base/processMark.ts';

/**
 * What a command sees as its terminal: `output` a terminal for stdout and one for stderr, no input, no controlling terminal;
 * `full` the same with input and a controlling terminal; `merged` one terminal for everything, as a person's shell needs it;
 * `none` plain pipes.
 */
export type TerminalKind = 'output' | 'full' | 'merged' | 'none';

export interface StartOrder {
  readonly id: string;
  /** The program's path; looked up by the engine. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly terminal: TerminalKind;
  readonly columns: number;
  readonly rows: number;
  /** Path without suffix: `.log` all output, `.out` and `.err` the beginnings of the two streams (missing as long as all is stdout), `.json` how it ended when nobody was there to hear. */
  readonly base: string;
  readonly maxLogBytes: number;
  readonly maxCaptureBytes: number;
  /** All that its standard input holds; only with the terminal `none`. */
  readonly input?: string;
  /** On Windows: the arguments are already quoted for cmd.exe. */
  readonly verbatim?: boolean;
  /** The engine's own record of the task, given back to an engine that comes later. */
  readonly record: unknown;
}

export interface StreamState {
  readonly bytes: number;
  /** Code points. */
  readonly chars: number;
  /** The whole stream in base64, when it is short. */
  readonly whole?: string;
}

export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly stdout: StreamState;
  readonly stderr: StreamState;
  /** Processes that the command left running; missing when nothing hinted at any. */
  readonly survivors?: readonly number[];
  /** Who was left of its group when it had just ended. */
  readonly left?: readonly ProcessMark[];
  /** Why the log is incomplete, when writing it failed. */
  readonly logFault?: string;
}

export interface HostTask {
  readonly id: string;
  readonly pid: number;
  readonly pidStart?: string;
  readonly bytes: number;
  readonly lastOutputAt?: number;
  readonly exit?: Exit;
  /** The host ended it, because its engine was gone. */
  readonly orphaned?: boolean;
  readonly record: unknown;
}

export type ToHost =
  | {
      readonly t: 'hello';
      /** The process of the engine. */
      readonly engine: number;
      readonly keep: boolean;
      /** Where to listen when tasks are kept. */
      readonly folder: string;
    }
  | { readonly t: 'start'; readonly order: StartOrder }
  | { readonly t: 'stop'; readonly id: string; readonly graceMs: number }
  | { readonly t: 'input'; readonly id: string; readonly data: string }
  | { readonly t: 'resize'; readonly id: string; readonly columns: number; readonly rows: number }
  | { readonly t: 'attach'; readonly view: number; readonly id: string }
  | { readonly t: 'ack'; readonly view: number; readonly bytes: number }
  | { readonly t: 'detach'; readonly view: number }
  | { readonly t: 'forget'; readonly id: string };

export type FromHost =
  | { readonly t: 'welcome'; readonly pid: number; readonly tasks: readonly HostTask[] }
  /** Another engine is connected, or was a moment ago. */
  | { readonly t: 'busy'; readonly engine: number }
  | { readonly t: 'started'; readonly id: string; readonly pid: number; readonly pidStart?: string }
  | { readonly t: 'refused'; readonly id: string; readonly code: string; readonly message: string }
  /** Output since the last tick: its last bytes (base64) and how many before them are not in `tail`. */
  | {
      readonly t: 'tick';
      readonly id: string;
      readonly bytes: number;
      readonly at: number;
      readonly tail: string;
      readonly before: number;
    }
  | { readonly t: 'ended'; readonly id: string; readonly exit: Exit }
  | { readonly t: 'survivors'; readonly id: string; readonly pids: readonly number[] }
  | { readonly t: 'stopped'; readonly id: string; readonly survivors: readonly number[] }
  /** What follows as bytes: first `replay` bytes that are still at hand, then what is new. */
  | { readonly t: 'attached'; readonly view: number; readonly replay: number; readonly open: boolean }
  | { readonly t: 'skipped'; readonly view: number; readonly bytes: number }
  | { readonly t: 'viewEnded'; readonly view: number };
