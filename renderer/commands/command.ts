import type { Client } from '../../shared/contract/client.ts';
import type { SessionState } from '../../shared/model/sessionState.ts';
import type { WorkbenchState } from '../../shared/model/workbench.ts';
import type { Words } from '../words/words.tsx';

/** What a command may look at and act by. */
export interface CommandContext {
  readonly client: Client;
  readonly words: Words;
  readonly project: string | null;
  readonly session: SessionState;
  readonly workbench: WorkbenchState;
}

/** One thing that can be done: the keyboard, the menus and the palette all read this. */
export interface Command {
  readonly id: string;
  readonly label: (words: Words) => string;
  readonly keys?: string;
  /** Absent: always. */
  readonly when?: (context: CommandContext) => boolean;
  readonly run: (context: CommandContext) => void;
}
