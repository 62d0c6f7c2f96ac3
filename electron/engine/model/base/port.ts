import type { Usage } from '../../../../shared/model/usage.ts';
import type { Failure } from '../../../../shared/result.ts';

/** A picture for the model: base64 without a prefix. */
export interface ModelImage {
  readonly mediaType: string;
  readonly data: string;
}

/** One tool call of a reply. The arguments stay text: who runs the call parses them (`parseCallArguments`). */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
  /** What the provider wants back with the call, unread (Gemini's thought signatures). */
  readonly extra?: unknown;
}

/**
 * One message of the conversation. Messages are never changed after they were made: their JSON is cached by identity,
 * so that a request costs only what is new since the last one.
 */
export type ModelMessage =
  /** `isPassing`: what counts now, at the end of one request alone; a mark for the cache stands before it. */
  | { readonly role: 'system'; readonly text: string; readonly isPassing?: boolean }
  | {
      readonly role: 'user';
      readonly text: string;
      readonly images?: readonly ModelImage[];
      /** Who wrote it, where it was not the person: a summary of what came before, or Vise. Not sent. */
      readonly origin?: 'summary' | 'vise';
    }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly reasoning?: string;
      /** Blocks of reasoning as the provider sent them (OpenRouter), unread: it wants them back. */
      readonly reasoningDetails?: readonly unknown[];
      readonly calls?: readonly ModelCall[];
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      /** The tool's name, for providers without call ids (text protocol, Mattermost). */
      readonly tool?: string;
      readonly text: string;
      readonly images?: readonly ModelImage[];
    };

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of the arguments object. */
  readonly parameters: unknown;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** `tools` should be the same array object while the white-list does not change: its JSON is cached by identity. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly model: string;
  readonly temperature?: number;
  readonly toolChoice?: ToolChoice;
  readonly maxTokens?: number;
  /** How much to think, in the provider's own words; absent: what the provider takes as usual. */
  readonly effort?: string;
  /** The same for all requests of a conversation: the provider may look for its cache by it. */
  readonly cacheKey?: string;
}

/** What can be wrong with a reply in the text protocol, in the order of the checks. */
export type ReplyError =
  | 'empty_output'
  | 'unclosed_tool_call'
  | 'json_decode_error'
  | 'invalid_structure'
  | 'unknown_type'
  | 'empty_tool_name'
  | 'invalid_arguments';

export type FinishReason = 'stop' | 'length' | 'calls' | 'filter' | 'other';

/**
 * What a reply consists of. Exactly one `finish` or `failed` comes last. After `restart` everything received before
 * for this request is void: the reply starts again (nothing was executed yet, calls come only with a whole reply).
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** Progress of a call that is being written; `chars` counts its arguments so far. */
  | { readonly type: 'callDelta'; readonly name: string; readonly chars: number }
  | ({ readonly type: 'call' } & ModelCall)
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The request is sent again after `waitMs`; `attempt` is the number of the coming one, of at most `attempts`. */
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly attempts: number;
      readonly waitMs: number;
      readonly why: string;
    }
  | { readonly type: 'restart' }
  /** Something the person should know (a fall-back, a repair of a text call). */
  | { readonly type: 'notice'; readonly code: string; readonly text: string }
  /** `raw` is the provider's own word; `malformed` names what stayed wrong with a text call after all corrections. */
  | {
      readonly type: 'finish';
      readonly reason: FinishReason;
      readonly raw?: string;
      readonly malformed?: ReplyError;
      /** To be kept with the reply's message. */
      readonly reasoningDetails?: readonly unknown[];
    }
  | { readonly type: 'failed'; readonly error: Failure };

/** A model that can be asked. Never throws across this border: failures are the last event (PROVIDER_*, CANCELLED). */
export interface ModelClient {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** How tools are offered to this model now; `native` where a client does not say. */
  protocol?(model: string): 'native' | 'text';
  /** Whether a beginning that stays the same is read from the provider's cache, and what follows it may change. */
  keepsBeginning?(model: string): boolean;
  /** Ends kept connections; requests under way fail. */
  dispose(): void;
}
