import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { defineTool, type Hands, type Tool } from '../../tools/frame/tool.ts';
import type { CallPorts } from './interceptPseudo.ts';
import type { CommandRunner } from './pseudoCli.ts';

/**
 * The pseudo CLI as one tool, for clients that speak MCP. It asks nothing by itself: each tool that a command calls passes
 * the gate with its own level. Errors: VALIDATION_ERROR for wrong use, TOOL_EXECUTION_FAILED.
 */
export function createCommandTool(cli: CommandRunner, portsFor: (hands: Hands) => CallPorts): Tool {
  return defineTool({
    name: 'codebolt_command',
    category: 'shell',
    permission: 'none',
    errors: [],
    about: 'Run one pseudo-CLI command, such as: codebolt fs read --path x. "codebolt help" lists the modules.',
    input: () => z.object({ command: z.string() }),
    output: () =>
      z.object({
        llmContent: z.string(),
        returnDisplay: z.string(),
        warnings: z.array(z.string()).optional(),
      }),
    text: ({ llmContent, warnings = [] }) => [llmContent, ...warnings.map((warning) => `(${warning})`)].join('\n'),
    plan({ command }) {
      const text = command.slice(0, 20_000);
      return Promise.resolve(
        ok({
          plan: command,
          intent: {
            risk: 'none' as const,
            effects: [],
            targets: [],
            summary: text.trim().split('\n', 1)[0]?.slice(0, 200) ?? '',
            preview: { kind: 'text' as const, title: 'Pseudo CLI', text },
          },
        }),
      );
    },
    async run(command, hands) {
      const result = await cli.run(command, portsFor(hands));
      const { error: _none, ...said } = result;
      if (result.error === undefined) return ok(said);
      const code = result.error.type === 'INVALID_TOOL_PARAMS' ? 'VALIDATION_ERROR' : 'TOOL_EXECUTION_FAILED';
      return fail(code, result.error.message, result);
    },
  });
}
