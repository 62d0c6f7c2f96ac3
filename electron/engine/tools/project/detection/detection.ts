export const mainTypes = ['rust', 'go', 'node', 'python', 'java'] as const;
export type MainType = (typeof mainTypes)[number];

export const commandKinds = ['test', 'format', 'lint', 'build'] as const;
export type CommandKind = (typeof commandKinds)[number];

export type Commands = Readonly<Partial<Record<CommandKind, string>>>;

/** What one set of rules makes of a folder. */
export interface Finding {
  /** One of the main types, or a name of its own for what the tool reference does not know. */
  readonly type: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly packageManager?: string;
  readonly commands: Commands;
  readonly configFiles: readonly string[];
}

/** What the rules may ask about a folder. */
export interface FolderFacts {
  readonly names: ReadonlySet<string>;
  /** The text of a file in the folder; empty when it cannot be read. */
  read(name: string): Promise<string>;
  /** Whether a program can be started. */
  hasProgram(name: string): Promise<boolean>;
}

export type Detector = (facts: FolderFacts) => Promise<Finding | undefined>;

/** Without the keys that have no command. */
export function commandsOf(found: Readonly<Record<CommandKind, string | undefined>>): Commands {
  return Object.fromEntries(Object.entries(found).filter(([, command]) => command !== undefined));
}

export function present(facts: FolderFacts, ...names: readonly string[]): readonly string[] {
  return names.filter((name) => facts.names.has(name));
}
