import { ok } from '../../../../shared/result.ts';
import { parseLine } from '../../shell/parse/parseLine.ts';
import type { Hands, PlannedIntent, Tool } from '../../tools/frame/tool.ts';
import type { ActionPorts } from './action.ts';
import { aloneHint } from './parse.ts';
import type { CommandRunner, PseudoCli, PseudoCommand } from './pseudoCli.ts';
import { errorResult, type PseudoResult } from './shapes.ts';

export type CallPorts = Omit<ActionPorts, 'nested' | 'warn'>;

/** Tools that would run a command line, and the key under which they tell its exit code. */
const shellTools: ReadonlyMap<string, 'exitCode' | 'returncode'> = new Map([
  ['run', 'exitCode'],
  ['cli_based_tool', 'returncode'],
  ['start_background_task', 'returncode'],
]);

/**
 * The same tools, where those that run commands hand a pseudo command to the pseudo CLI instead of a shell. Such a call
 * asks nothing by itself: each tool that it calls passes the gate with its own level.
 */
export function interceptPseudo(
  tools: readonly Tool[],
  cli: CommandRunner,
  portsFor: (hands: Hands) => CallPorts,
): readonly Tool[] {
  return tools.map((tool) => {
    const exitKey = shellTools.get(tool.name);
    return exitKey === undefined ? tool : intercepted(tool, exitKey, cli, portsFor);
  });
}

function intercepted(tool: Tool, exitKey: string, cli: CommandRunner, portsFor: (hands: Hands) => CallPorts): Tool {
  const answer = (command: PseudoCommand, run: (hands: Hands) => Promise<PseudoResult>) =>
    ok({
      warnings: [],
      intent: intentOf(command),
      run: async (hands: Hands) => ok(asCommandResult(await run(hands), exitKey)),
    });
  return {
    ...tool,
    async prepare(input, look) {
      const command = pseudoCommand(input, cli);
      if (command !== undefined) return answer(command, (hands) => cli.run(command, portsFor(hands)));
      const inside = pseudoInside(input, cli);
      if (inside !== undefined) return answer(inside.line, async () => insideRefusal(inside.prefix));
      return tool.prepare(input, look);
    },
  };
}

interface Inside {
  readonly line: string;
  readonly prefix: string;
}

/** A line of several commands, one of them a pseudo command: a shell would not find it after it had run the others. */
function pseudoInside(input: unknown, cli: Pick<PseudoCli, 'isPseudo'>): Inside | undefined {
  if (typeof input !== 'object' || input === null || !('command' in input) || typeof input.command !== 'string')
    return undefined;
  const { command: line } = input;
  if ('args' in input && Array.isArray(input.args) && input.args.length > 0) return undefined;
  const { commands } = parseLine(line, { platform: process.platform });
  const plain = commands.filter(({ assignments }) => assignments.length === 0);
  const prefix = plain.map(({ argv: [program = ''] }) => program).find((program) => cli.isPseudo(program));
  return prefix === undefined || commands.length < 2 ? undefined : { line, prefix };
}

function insideRefusal(prefix: string): PseudoResult {
  return errorResult({
    type: 'INVALID_TOOL_PARAMS',
    message: `Nothing was run: ${prefix} is no program of a shell. ${aloneHint(prefix)}`,
  });
}

/** The pseudo command of an input, with its separate words where it has some. */
export function pseudoCommand(input: unknown, cli: Pick<PseudoCli, 'isPseudo'>): PseudoCommand | undefined {
  if (typeof input !== 'object' || input === null || !('command' in input)) return undefined;
  const { command } = input;
  if (typeof command !== 'string' || !cli.isPseudo(command)) return undefined;
  const args: unknown = 'args' in input ? input.args : undefined;
  if (!Array.isArray(args) || args.length === 0) return command;
  // A line with blanks and words beside it is neither form; the words would be lost in the line.
  const words = command.trim().split(/\s+/);
  const [program = ''] = words;
  return { command: program, args: [...words.slice(1), ...args.map(String)] };
}

function intentOf(command: PseudoCommand): PlannedIntent {
  const text = typeof command === 'string' ? command.trim() : [command.command, ...command.args].join(' ');
  return {
    risk: 'none',
    effects: [],
    targets: [],
    summary: text.split('\n', 1)[0]?.slice(0, 200) ?? '',
    preview: { kind: 'text', title: 'Pseudo CLI', text: text.slice(0, 20_000) },
  };
}

/** In the shape of a command's result, with the exit codes of `vise call`. */
function asCommandResult({ llmContent, error, warnings = [] }: PseudoResult, exitKey: string): unknown {
  const notes = warnings.map((warning) => `warning: ${warning}`);
  return {
    stdout: error === undefined ? llmContent : '',
    stderr: [...(error === undefined ? [] : [llmContent]), ...notes].join('\n'),
    [exitKey]: exitCodeOf({ error }),
    mode: 'pseudo',
  };
}

/** 0 done or help, 2 wrong use, 1 the action failed. */
export function exitCodeOf({ error }: Pick<PseudoResult, 'error'>): 0 | 1 | 2 {
  if (error === undefined) return 0;
  return error.type === 'INVALID_TOOL_PARAMS' ? 2 : 1;
}
