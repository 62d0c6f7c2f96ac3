import type { SubagentEnd } from '../../../../shared/model/subagent.ts';
import type { Result } from '../../../../shared/result.ts';
import type { TodoAccess } from './todoAccess.ts';

/** What hands have beside the others in the calls of a conversation. */
export interface ConversationHands {
  readonly todos?: TodoAccess;
  readonly subagents?: SubagentAccess | undefined;
}

export interface SubagentWish {
  readonly title: string;
  readonly task: string;
  /** It works in a lane of its own; else it only reads. */
  readonly edits: boolean;
}

export interface SubagentCall {
  readonly call: string;
  readonly signal: AbortSignal;
  /** Tells what it does, while it does it. */
  readonly output: (text: string) => void;
}

/** How a call of a conversation starts a session that works for it; absent where none may be started. */
export interface SubagentAccess {
  /**
   * Starts a session and resolves with its end; the one of an interrupted call goes on instead. Errors: CANCELLED, TIMEOUT,
   * LIMIT_EXCEEDED, PROVIDER_ERROR (each with its end in the details), UNAVAILABLE, FILE_WRITE_ERROR, those of making a lane.
   */
  run(wish: SubagentWish, call: SubagentCall): Promise<Result<SubagentEnd>>;
}
