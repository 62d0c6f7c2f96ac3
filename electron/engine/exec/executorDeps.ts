import type { Settings } from '../../../shared/model/settings.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Environment } from './childEnvironment.ts';
import type { FilterRules } from './sandbox/filterProxy.ts';

/** What an executor borrows. */
export interface ExecutorDeps {
  /** Read at each use: a change holds from the next command on. */
  readonly settings: () => Pick<Settings, 'shell' | 'sandbox'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Where relative extra paths start, and what a sandboxed command may write. */
  readonly workspace: string;
  /** Logs of tasks; made when the first one starts. */
  readonly taskFolder: string;
  /** How allowed hosts are reached from the sandbox; default: by name, as the system resolves it. */
  readonly dial?: FilterRules['dial'];
  /** Below it each state folder has for each project a folder with the sockets of its hosts that keep running; short. */
  readonly socketFolder: string;
  /** The built `ptyHost` program. */
  readonly hostEntry: string;
  /** The engine's own environment. */
  readonly environment: Environment;
  /** How many processes one command may have at once (Linux); 2,000 where it is not said. */
  readonly maxProcesses?: number | undefined;
  /** Provider keys: no command gets a variable with one of these values. */
  readonly secrets?: () => readonly string[];
}
