import type { DialectName } from '../../../../shared/model/dialect.ts';
import type { Capabilities } from './capabilities.ts';
import type { Fault } from './fault.ts';
import type { ModelEvent, ModelRequest } from './port.ts';

/** How one model of one server wants its requests: what was learnt of it, else its catalogue entry, else its preset. */
export interface RequestStyle {
  /** The name in the settings: reasoning that another provider signed is not sent to this one. */
  readonly provider: string;
  readonly temperature: boolean;
  readonly streamUsage: boolean;
  /** `max_completion_tokens` instead of `max_tokens` (OpenAI's reasoning models refuse the old name). */
  readonly maxCompletionTokens: boolean;
  /**
   * Send the reasoning of earlier replies back as `reasoning_content`. DeepSeek and Moonshot refuse a request in which it
   * is missing from a reply with calls, even where it was empty; beside other replies they pass over it.
   */
  readonly echoReasoning: boolean;
  /** Send the blocks of `reasoning_details` back as they came (OpenRouter). */
  readonly echoDetails: boolean;
  /**
   * What providers want back with a call (Gemini's thought signatures): sent as it came, or left out where nobody knows
   * the field; `sign` also marks calls of other models, which Gemini refuses without one.
   */
  readonly callExtras: 'keep' | 'drop' | 'sign';
  /** Whether an effort may be named. */
  readonly effort: boolean;
  /** Whether a summary of its reasoning is asked for (Responses); OpenAI gives none to who is not verified. */
  readonly summary: boolean;
  /** How Messages is asked to think: the model decides how long (by effort), within a budget, or not at all. */
  readonly thinking: 'adaptive' | 'budget' | 'none';
  /** Tokens that a reply may have, where a request must say so (Messages). */
  readonly maxOutput: number;
}

export interface ReplyOptions {
  readonly emit: (event: ModelEvent) => void;
  /** Whether the conversation already uses this id: some servers name the first call of each reply the same. */
  readonly isTaken: (id: string) => boolean;
  readonly newId: () => string;
  /** What kept reasoning is signed with: it goes back to the same provider and model only. */
  readonly provider: string;
  readonly model: string;
}

/** Reads one answer, value by value. What it emits is void when it ends in a fault. */
export interface ReplyFormat {
  /** One event of the stream, or the whole body of an answer that is none. */
  take(value: Readonly<Record<string, unknown>>, event: string): Fault | undefined;
  /** Text and progress that wait to be emitted together. */
  flush(): void;
  /** Something of a reply has come. */
  readonly started: boolean;
  /** The reply has its end; only the usage may follow. */
  readonly finishing: boolean;
  /** Nothing more can change the reply. */
  readonly complete: boolean;
  /** The stream said its last word (`[DONE]`). */
  done(): void;
  /** The answer is over: emits calls, usage and finish, or says why this was no reply. */
  close(): Fault | undefined;
}

/** One wire format, with what it keeps of the conversation to write the next request cheaply. */
export interface Dialect {
  readonly name: DialectName;
  write(request: ModelRequest, style: RequestStyle): string | Buffer;
  read(options: ReplyOptions): ReplyFormat;
  /** What the text of a refused request (HTTP 4xx) teaches about the model; undefined when nothing. */
  lessonOf(text: string, request: ModelRequest, style: RequestStyle): Capabilities | undefined;
}
