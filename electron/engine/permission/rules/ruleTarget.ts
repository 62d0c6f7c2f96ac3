import type { Command } from '../../shell/parse/line.ts';

/** One thing that needs permission of its own. A call is allowed by rules only if each of its targets is. */
export type RuleTarget =
  | {
      readonly kind: 'command';
      readonly command: Command;
      /** Where it may run, as paths for rules; none for what runs alike everywhere, because it only reads. */
      readonly folders?: readonly string[];
    }
  /** `path` is relative to the project when it lies inside, else absolute; null when it is only known at run time. */
  | {
      readonly kind: 'path';
      readonly path: string | null;
      readonly command?: Command;
      /** It is a pattern that a shell fills in. */
      readonly isPattern?: boolean;
      /** It stands in a text that the program reads, or behind a name of its own (`if=path`): whether it is read nobody knows. */
      readonly isMention?: true;
      /** Where it may lead, for those who ask: links are only followed for a rule about paths. */
      readonly meant?: () => readonly string[];
      /** All that lies there is read, though no word names it. */
      readonly isWhole?: true;
      /** A rule that names the whole command, or this word of it, covers it too. */
      readonly orNamed?: string;
    }
  /** `isGuess`: a name that may be a host, or something else. */
  | { readonly kind: 'host'; readonly host: string; readonly isGuess?: true }
  | { readonly kind: 'other'; readonly name: string };
