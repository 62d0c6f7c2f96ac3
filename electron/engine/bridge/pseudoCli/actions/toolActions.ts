import type { Tool } from '../../../tools/frame/tool.ts';
import { type Action, kebabCase, type Param } from '../action.ts';
import { callTool, fields, listOf } from './callTool.ts';

/**
 * One action for each tool, so that none is out of reach of the pseudo CLI: by the module and action that the tool
 * declares, else by its category and name. Phase tools steer the running loop and mean nothing here.
 */
export function toolActions(tools: readonly Tool[]): readonly Action[] {
  return tools.filter(({ category }) => category !== 'phase').map(toolAction);
}

function toolAction(tool: Tool): Action {
  const [module, action] = pseudoName(tool);
  const schema = tool.inputSchema();
  const required = new Set(listOf(schema['required']));
  const params = Object.entries(fields(schema['properties'])).map(
    ([name, property]): Param => ({
      name,
      flag: `--${kebabCase(name)}`,
      type: paramType(fields(property)),
      required: required.has(name),
    }),
  );
  return {
    module,
    action,
    about: tool.about.split(/\r?\n/, 1)[0] ?? '',
    params,
    run: (given, ports) => {
      // A tool that runs commands would take a pseudo command in one; here it counts as one level deeper.
      const command = given['args'] === undefined ? given['command'] : undefined;
      const nested = typeof command === 'string' ? ports.nested(command) : undefined;
      return nested ?? callTool(ports, tool.name, given);
    },
  };
}

function pseudoName({ pseudo, category, name }: Tool): readonly [string, string] {
  const [module, action] = pseudo?.split(' ') ?? [];
  if (module !== undefined && action !== undefined) return [module, action];
  const plain = name.startsWith(`${category}_`) ? name.slice(category.length + 1) : name;
  return [category, kebabCase(plain)];
}

function paramType(property: Readonly<Record<string, unknown>>): string {
  const words = listOf(property['enum']);
  if (words.length > 0 && words.every((word) => typeof word === 'string' && /^[\w-]+$/.test(word)))
    return words.join('|');
  switch (property['type']) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'json';
  }
}
