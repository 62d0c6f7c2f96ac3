import type { SessionState } from '../../../../shared/model/sessionState.ts';
import type { Result } from '../../../../shared/result.ts';
import type { RemoteTexts } from '../../bridge/mcp/remoteTexts.ts';
import type { SymbolParts } from '../../project/symbols/findSymbols.ts';
import type { Look } from '../../workspace/look.ts';

/** What mentions are looked up in. All of it only reads. */
export interface MentionParts {
  readonly look: Look;
  readonly symbols: SymbolParts;
  /** Of MCP servers. */
  readonly texts?: () => Promise<RemoteTexts | undefined>;
  readonly state: Pick<SessionState, 'tasks' | 'changeSets'>;
  /** The last part of what a task printed, at most so many characters. Errors: TASK_NOT_FOUND, UNAVAILABLE. */
  readonly output: (task: string, maxChars: number) => Promise<Result<string>>;
  /** Kept content as text; undefined when it is gone or no text. */
  readonly content: (id: string) => Promise<string | undefined>;
}
