import type { Counted } from '../../../shared/model/contextUse.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import type { CallStages } from '../edits/callStages.ts';
import type { EditsOnDisk } from '../edits/editsOnDisk.ts';
import type { ModelClient, ModelRequest } from '../model/base/port.ts';
import type { CallContext } from '../tools/frame/runTool.ts';
import type { Contents } from '../workspace/contents.ts';
import type { Reply } from './askModel.ts';
import type { Session } from './session.ts';
import type { SessionHooks } from './sessionHooks.ts';
import type { End } from './turnEnd.ts';

/** What a turn uses; everything else of the engine is none of its business. */
export interface TurnDeps {
  readonly session: Session;
  readonly clock: Clock;
  readonly settings: () => Settings;
  /** The client for the session's provider now; remade when the settings change. */
  readonly model: () => Promise<Result<ModelClient>>;
  readonly buildRequest: (client: ModelClient) => Promise<ModelRequest>;
  /** Makes room in the model's window when it is nearly full. True when the conversation is shorter now. */
  readonly compact: (
    client: ModelClient,
    request: ModelRequest,
    turn: string,
    signal: AbortSignal,
    /** The words of the provider that refused the request as too long. */
    refusal?: string,
  ) => Promise<boolean>;
  /** Why no further request may be sent in this turn, after so many; undefined while it may. May ask the person. */
  readonly mayAsk: (turn: string, requests: number, signal: AbortSignal) => Promise<End | undefined>;
  /** What the request fills of the window, from the model's own count where it gives one. */
  readonly measure: (
    request: ModelRequest,
    reply: Reply,
  ) => { readonly contextTokens: number; readonly contextLimit: number; readonly contextCounted: Counted };
  readonly context: CallContext;
  readonly stages: CallStages;
  readonly hooks: Pick<SessionHooks, 'onStop' | 'ended'>;
  readonly contents: Contents;
  /** What became of the files of a call that ran when the engine ended. */
  readonly editsOnDisk: EditsOnDisk;
}
