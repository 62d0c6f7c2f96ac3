/** A stretch of a word. Only `text` has a value that is known before the command runs. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'glob'; readonly text: string }
  | { readonly kind: 'tilde'; readonly text: string }
  | { readonly kind: 'brace'; readonly text: string }
  | { readonly kind: 'variable'; readonly text: string; readonly name: string; readonly quoted: boolean }
  | { readonly kind: 'arithmetic'; readonly text: string }
  | { readonly kind: 'substitution'; readonly text: string }
  | { readonly kind: 'process'; readonly text: string };

export interface Word {
  /** As written. */
  readonly raw: string;
  readonly pieces: readonly Piece[];
  /** After quote removal; expansions stay as written. */
  readonly value: string;
}

export interface Redirect {
  readonly op: string;
  /** The descriptor in front of the operator, where one is written. */
  readonly fd: number | null;
  readonly target: string;
  readonly word: Word;
  /** True when it can create or change a file; duplications (`2>&1`) and reads are not writes. */
  readonly write: boolean;
  /** The text of a here-document or here-string, when it is known. */
  readonly body?: string | undefined;
}

export interface Assignment {
  readonly name: string;
  readonly append: boolean;
  readonly value: Word;
}

/** Where a command stands; a command in a loop inside a substitution has both. */
export type Place = 'subshell' | 'group' | 'loop' | 'branch' | 'function' | 'substitution' | 'background';

export interface Command {
  /** `condition` is `[ … ]` and `[[ … ]]`; `redirects` belongs to a compound command and has no words. */
  readonly kind: 'command' | 'condition' | 'redirects';
  readonly argv: readonly string[];
  readonly words: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly redirects: readonly Redirect[];
  /** Contains an expansion whose value is unknown before the command runs (globs included). */
  readonly dynamic: boolean;
  readonly places: readonly Place[];
  /** Reads the output of another command. */
  readonly piped: boolean;
  /** Programs that run this command (`sudo`, `sh`, `find`), outermost first; empty for what stands in the line itself. */
  readonly via: readonly string[];
}

/** `for name in words`; without words what the caller gave, or what is read. */
export interface Loop {
  readonly name: string;
  readonly words: readonly Word[] | undefined;
}

export interface ParsedLine {
  /** In the order of their first word. Incomplete when `unparsable` is set. */
  readonly commands: readonly Command[];
  /** Why the text has no certain meaning. Such a line is always asked (C3). */
  readonly unparsable?: string;
  /** It is unparsable because a quote has no end. */
  readonly unclosedQuote?: boolean;
  /** Names of functions that the line defines. */
  readonly functions: readonly string[];
  readonly loops: readonly Loop[];
  /** What `sh` and `bash` read differently. Such a line is never covered by a rule nor proven to only read. */
  readonly ambiguous: readonly string[];
}

export function isLiteral(word: Word): boolean {
  return word.pieces.every((piece) => piece.kind === 'text');
}

/** A word as it stands in direct mode, where nothing is interpreted. */
export function literalWord(text: string): Word {
  return { raw: text, pieces: text === '' ? [] : [{ kind: 'text', text, quoted: true }], value: text };
}

/** The one command of a command that is given as words. */
export function commandOfArgv(argv: readonly string[]): Command {
  return {
    kind: 'command',
    argv,
    words: argv.map(literalWord),
    assignments: [],
    redirects: [],
    dynamic: false,
    places: [],
    piped: false,
    via: [],
  };
}
