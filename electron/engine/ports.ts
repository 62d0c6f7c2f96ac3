import type { Level } from '../../shared/model/level.ts';
import type { Clock } from './base/clock.ts';
import type { Log } from './base/log.ts';
import type { Places } from './base/places.ts';
import type { Secrets } from './base/secrets.ts';

/** What a host provides to the engine. Everything the engine knows of its surroundings stands here. */
export interface EnginePorts {
  readonly version: string;
  readonly places: Places;
  /** Folder of what is shipped: sample project, sample script, specs. */
  readonly resources: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly secrets: Secrets;
  /** The built program of the PTY host. */
  readonly ptyHost: string;
  /** Tells the person something that belongs to no session (on the command line: standard error). */
  readonly notify?: (text: string) => void;
  /** Whether a person can answer. Without one, what would be asked is denied. */
  readonly interactive: boolean;
  /** What runs without a question, from the command line. */
  readonly allow: Level;
  /** A rules file from the command line. */
  readonly rulesFile?: string;
  /** The folder is trusted as it is, for this run (`--trust-workspace`). */
  readonly trustWorkspace?: boolean;
  /** A provider, model or script from the command line; wins over environment and file. */
  readonly provider: {
    readonly name?: string;
    readonly model?: string;
    readonly script?: string;
    readonly baseUrl?: string;
    readonly dialect?: string;
    readonly effort?: string;
  };
  /** US dollars that a session may cost, from the command line. */
  readonly maxCost?: number;
  /** Answers for questions of the agent where nobody can be asked. */
  readonly answer?: string;
}
