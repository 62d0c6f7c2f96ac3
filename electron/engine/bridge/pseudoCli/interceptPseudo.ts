import { ok } from '../../../../shared/result.ts';
import type { Hands, PlannedIntent, Tool } from '../../tools/frame/tool.ts';
import type { ActionPorts } from './action.ts';
import type { CommandRunner, PseudoCli, PseudoCommand } from './pseudoCli.ts';
import type { PseudoResult } from './shapes.ts';

export type LentPorts = Omit<ActionPorts, 'nested' | 'warn'>;

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
  portsFor: (hands: Hands) => LentPorts,
): readonly Tool[] {
  return tools.map((tool) => {
    const exitKey = shellTools.get(tool.name);
    return exitKey === undefined ? tool : intercepted(tool, exitKey, cli, portsFor);
  });
}

function intercepted(tool: Tool, exitKey: string, cli: CommandRunner, portsFor: (hands: Hands) => LentPorts): Tool {
  return {
    ...tool,
    prepare(input, look) {
      const command = pseudoCommand(input, cli);
      if (command === undefined) return tool.prepare(input, look);
      return Promise.resolve(
        ok({
          warnings: [],
          intent: intentOf(command),
          run: async (hands: Hands) => ok(asCommandResult(await cli.run(command, portsFor(hands)), exitKey)),
        }),
      );
    },
  };
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
    [exitKey]: exitCodeOf({ ...(error === undefined ? {} : { error }) }),
    mode: 'pseudo',
  };
}

/** 0 done or help, 2 wrong use, 1 the action failed. */
export function exitCodeOf({ error }: Pick<PseudoResult, 'error'>): 0 | 1 | 2 {
  if (error === undefined) return 0;
  return error.type === 'INVALID_TOOL_PARAMS' ? 2 : 1;
}
