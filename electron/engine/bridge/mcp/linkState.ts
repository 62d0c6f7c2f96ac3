import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { AskPerson } from './answerForm.ts';
import type { Offered } from './listOffered.ts';
import type { ServerTokens } from './serverTokens.ts';

export type LinkState =
  | { readonly kind: 'connecting' }
  | ({ readonly kind: 'ready' } & Offered)
  | { readonly kind: 'waiting'; readonly reason: string; readonly retryInMs: number }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The person must sign in; `page`: where they are doing so now, `reason`: why it did not work last. */
  | { readonly kind: 'signedOut'; readonly page?: string; readonly reason?: string }
  | { readonly kind: 'closed' };

export interface LinkParts {
  readonly clock: Clock;
  readonly log: Log;
  /** The scrubbed environment of children. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly version: string;
  readonly tokens: ServerTokens;
  /** Takes known keys and tokens out of a text. */
  readonly redact: (text: string) => string;
  onState(): void;
}

/** What one call is made with. */
export interface CallParts {
  readonly signal: AbortSignal;
  onProgress(text: string): void;
  /** Asks the person for the server; absent where nobody can be asked. */
  readonly ask?: AskPerson | undefined;
}
