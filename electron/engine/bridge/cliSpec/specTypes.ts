export type ValueType = 'string' | 'number' | 'boolean' | 'path';
export type OutputFormat = 'json' | 'text' | 'csv' | 'tsv' | 'jsonl';

/** A positional argument. */
export interface SpecArg {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly type: ValueType;
  /** Only on the last one: takes a list. */
  readonly repeated?: boolean;
  /** The program wants `--` before it: `exec POD -- COMMAND`. */
  readonly afterDashes?: boolean;
}

export interface SpecFlag {
  readonly name: string;
  /** One letter; it documents, argv always has the name. */
  readonly short?: string;
  readonly description: string;
  readonly required: boolean;
  readonly type: ValueType;
  /** Documents the binary's own default; it is never added to argv. */
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly repeated?: boolean;
  /** Default: two words; joined by `=` where it is `equals`, and then `false` of a boolean is `--name=false`. */
  readonly separator?: 'space' | 'equals';
  /** 1 for a flag that has no long name: `-n 5`. */
  readonly dashes?: 1;
  /** An empty value stands for the flag alone. */
  readonly valueOptional?: boolean;
  /** So many words stand behind the name each time; the list of values is cut by it. */
  readonly values?: number;
  /** `false` is said as `--no-name`. */
  readonly negatable?: boolean;
}

export interface SpecOutput {
  readonly format: OutputFormat;
  /** Keys joined by dots. */
  readonly jsonPath?: string;
  /** A regular expression that the text of a good run matches. */
  readonly successPattern?: string;
}

export interface SpecCommand {
  /** Words joined by single blanks; `run` stands for the binary without a command word. */
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  /** The words in argv where they are not the name: a sub-command that is itself called `run`. */
  readonly words?: string;
  readonly args?: readonly SpecArg[];
  readonly flags?: readonly SpecFlag[];
  readonly output: SpecOutput;
  readonly timeoutMs?: number;
  /** The name of the argument whose value is written to stdin instead of argv. */
  readonly stdin?: string;
  /** Added to the child's environment; honoured in the user's own specs only. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A CLI described by data, schema version 1. Properties beyond these are accepted and kept. */
export interface CliSpec {
  readonly name: string;
  readonly specVersion: '1';
  readonly binary: string;
  readonly binaryVersion: string;
  readonly description: string;
  readonly versionDetection: { readonly command: string; readonly pattern: string };
  readonly registration?: {
    readonly resolvedPath: string;
    readonly registeredAt: string;
    readonly helpOutput?: string;
  };
  readonly triggers: { readonly positive: readonly string[]; readonly negative: readonly string[] };
  readonly globalFlags?: readonly SpecFlag[];
  /** Global flags stand before the command's words: `git --git-dir=x log`. */
  readonly globalFlagsFirst?: boolean;
  readonly commands: readonly SpecCommand[];
  /** The binary does not know `--`. */
  readonly noDoubleDash?: boolean;
}

/** Where a spec comes from, strongest first. */
export const specSources = ['project', 'user', 'bundled'] as const;
export type SpecSource = (typeof specSources)[number];
