import { tableOf } from './madePage.ts';

/** What the page tells of a program that was registered by its help alone. */
export interface ListedProgram {
  readonly name: string;
  readonly version: string;
  readonly commands: readonly {
    readonly name: string;
    readonly args: readonly string[];
    readonly flags: number;
  }[];
  readonly globals: number;
  /** A call of the agent, and the words that the program got. */
  readonly calls: readonly { readonly tool: string; readonly input: object; readonly argv: readonly string[] }[];
}

const code = (text: string): string => `\`${text}\``;

/** The tables of docs/programs.md: how much of each program can be called, then calls as they reach it. */
export function programTable(programs: readonly ListedProgram[]): string {
  const rows = programs.map(({ name, version, commands, globals }) => {
    const nested = commands.filter((one) => one.name.includes(' ')).length;
    const free = commands.filter(({ args }) => args.at(-1) === 'args').length;
    const flags = commands.reduce((sum, one) => sum + one.flags, 0);
    return [code(name), version, commands.length, nested, commands.length - free, free, globals, flags].map(String);
  });
  const heads = [
    'program',
    'version',
    'tools',
    'of two words',
    'arguments understood',
    'with a free list',
    'global flags',
  ];
  const calls = programs.flatMap(({ name, calls: own }) =>
    own.map(({ tool, input, argv }) => [code(tool), code(JSON.stringify(input)), code([name, ...argv].join(' '))]),
  );
  return [tableOf([...heads, 'flags'], rows), tableOf(['tool', 'input', 'what runs'], calls)].join('\n\n');
}
