import type { Change } from './change.ts';
import type { Level } from './level.ts';

export type Effect = 'reads' | 'writes' | 'executes' | 'network';

/** What a call would touch; rules and the phase gate look at these, never at tool names. */
export type Target =
  | { readonly kind: 'path'; readonly path: string; readonly access: 'read' | 'write' }
  | { readonly kind: 'command'; readonly command: string; readonly argv?: readonly string[]; readonly cwd: string }
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'other'; readonly name: string };

export interface CommandPreview {
  readonly kind: 'command';
  /** The exact text (shell mode) or the words joined for reading (direct mode). */
  readonly command: string;
  /** The exact words in direct mode. */
  readonly argv?: readonly string[];
  readonly cwd: string;
  readonly mode: 'shell' | 'direct';
  /** SHA-256 over command, words, folder and environment additions: what was approved is what runs. */
  readonly hash: string;
  readonly env?: Readonly<Record<string, string>>;
}

export type Preview =
  | { readonly kind: 'none' }
  | { readonly kind: 'changes'; readonly changes: readonly Change[] }
  | CommandPreview
  | { readonly kind: 'question'; readonly question: string }
  | { readonly kind: 'text'; readonly title: string; readonly text: string };

/** What a call wants to do, shown before it happens. What is shown here is what runs. */
export interface Intent {
  readonly risk: Level;
  readonly effects: readonly Effect[];
  readonly targets: readonly Target[];
  /** One line, sentence case, for the call card. */
  readonly summary: string;
  readonly preview: Preview;
  /** The command is proven to only read. */
  readonly provenReadOnly?: boolean;
  /** The person may allow this tool in this folder for a while. */
  readonly standing?: StandingWish;
}

export interface StandingWish {
  /** Real path of the folder. */
  readonly place: string;
  /** The agent asks for it (`grantPermission`); only then it is offered. Never an answer by itself. */
  readonly asked: boolean;
}
