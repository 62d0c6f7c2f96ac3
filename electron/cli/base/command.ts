import type { Io } from './io.ts';
import type { Flag, Parsed } from './parseFlags.ts';

/** One command of the command line. Its program is loaded only when it is called. */
export interface Command {
  readonly name: string;
  /** What follows the name, for the help. */
  readonly usage: string;
  readonly about: string;
  readonly flags: readonly Flag[];
  /** A line to try. */
  readonly example: string;
  /** How many words it takes at most; undefined where it counts them itself, with words of its own. */
  readonly words?: number;
  /** It prints pages of its own, and cleans what is not its own by itself. */
  readonly paints?: true;
  /** More than the table tells, where a word stands before `--help`; answers the exit code. */
  help?(parsed: Parsed, io: Io): Promise<number>;
  /** Loads and runs it; answers the exit code. */
  run(parsed: Parsed, io: Io): Promise<number>;
}
