import type { Result } from '../../../../shared/result.ts';

/** A session as the pseudo CLI calls it. */
export interface ThreadView {
  readonly id: string;
  readonly title: string;
  /** The profile of the agent: the session's mode. */
  readonly agent: string;
  readonly status: 'idle' | 'running' | 'waiting';
  readonly archived: boolean;
  readonly turns: number;
  readonly lastOutcome: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ThreadMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly at: string;
  readonly text: string;
}

export interface ThreadEnd {
  readonly outcome: string;
  readonly text: string;
}

/** The sessions of one project. Errors of all that name one: SESSION_NOT_FOUND (also for those of other projects). */
export interface Threads {
  list(): readonly ThreadView[];
  get(id: string): Result<ThreadView>;
  /** `agent` is a profile. `task` waits in it as its draft until it is started. Errors: UNAVAILABLE. */
  create(task: string, agent: string): Result<ThreadView>;
  /** The task that waits in it. */
  draft(id: string): Promise<Result<string>>;
  /** Sends a message and answers at once. Errors: LIMIT_EXCEEDED (too many run), VALIDATION_ERROR (no text), CONFIG_INVALID (no model). */
  start(id: string, text: string): Promise<Result<{ readonly turn: string }>>;
  /** Resolves when that turn has ended. Errors: CANCELLED; the turn then goes on. */
  ended(id: string, turn: string, signal: AbortSignal): Promise<Result<ThreadEnd>>;
  rename(id: string, title: string): Promise<Result<void>>;
  archive(id: string, archived: boolean): Promise<Result<void>>;
  /** Ends its turn; does not wait for the end. */
  stop(id: string): Promise<Result<void>>;
  /** Errors: CONFLICT (it runs or waits). */
  delete(id: string): Promise<Result<void>>;
  messages(id: string): Result<readonly ThreadMessage[]>;
  /** Files whose proposed content waits for the person, over all sessions of the project. */
  proposed(): readonly { readonly path: string; readonly status: string; readonly thread: string }[];
}

export interface AgentProfile {
  readonly id: string;
  readonly name: string;
  readonly type: 'builtin';
  readonly description: string;
}

/** The ways in which a session can work. */
export const agentProfiles: readonly AgentProfile[] = [
  {
    id: 'phased',
    name: 'Phased',
    type: 'builtin',
    description:
      'Explores, plans, patches and verifies; each phase has its tools. For changes, features, fixes, refactoring.',
  },
  {
    id: 'direct',
    name: 'Direct',
    type: 'builtin',
    description: 'One loop with all tools. For small edits, running commands, tests and builds.',
  },
  {
    id: 'ask',
    name: 'Ask',
    type: 'builtin',
    description: 'Reads and answers; changes nothing. For questions, explanations, reviews and searches.',
  },
];
