import type { Tool } from '../engine/tools/frame/tool.ts';
import { exitCodes, type Io, refuse } from './base/io.ts';
import { type Parsed, projectOf } from './base/parseFlags.ts';
import { withEngine } from './base/startEngine.ts';

/** What is told of one input; as JSON Schema has it. */
interface Input {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

/** `vise tool NAME --help`: what the tool does, its inputs as flags, and a call. */
export function toolHelp(parsed: Parsed, io: Io): Promise<number> {
  const [name = ''] = parsed.words;
  return withEngine('tool', parsed, io, async ({ engine }) => {
    const toolset = await engine.toolset(projectOf(parsed, io), name);
    if (!toolset.ok) return refuse(io, 'tool', toolset.error.message);
    const tool = toolset.value.find(name);
    if (!tool) return refuse(io, 'tool', `there is no tool "${name}". "vise tools" lists them.`);
    io.out(helpOf(tool));
    return exitCodes.done;
  });
}

function helpOf(tool: Tool): string {
  const schema = tool.inputSchema();
  // A schema of a server of somebody else's may say anything.
  const inputs = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Input>>);
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : []);
  const rows = inputs.map(([name, input]) => ({
    left: `--${name} ${valueOf(input)}`,
    about: [required.has(name) ? 'needed' : '', input.description ?? '', defaultOf(input)].filter(
      (part) => part !== '',
    ),
  }));
  const width = Math.max(0, ...rows.map(({ left }) => left.length));
  const lines = rows.map(({ left, about }) => `  ${left.padEnd(width)}  ${about.join('; ')}`.trimEnd());
  const call = inputs.filter(([name]) => required.has(name)).map(([name, input]) => ` --${name} ${exampleOf(input)}`);
  return [
    `vise tool ${tool.name}${inputs.length > 0 ? ' [--INPUT VALUE …]' : ''}`,
    tool.about,
    `Category ${tool.category}, level ${tool.permission}.`,
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
    `Example: vise tool ${tool.name}${call.join('')}`,
    '',
  ].join('\n');
}

function valueOf({ type, enum: values }: Input): string {
  if (values) return values.map(String).join('|');
  const [first = 'string'] = [type ?? 'string'].flat();
  return first === 'string' ? 'TEXT' : first === 'object' || first === 'array' ? 'JSON' : first.toUpperCase();
}

function defaultOf(input: Input): string {
  return input.default === undefined ? '' : `default ${JSON.stringify(input.default)}`;
}

function exampleOf(input: Input): string {
  if (input.enum) return String(input.enum[0]);
  switch ([input.type ?? 'string'].flat()[0]) {
    case 'number':
    case 'integer':
      return '1';
    case 'boolean':
      return 'true';
    case 'array':
      return "'[]'";
    case 'object':
      return "'{}'";
    default:
      return "'…'";
  }
}
