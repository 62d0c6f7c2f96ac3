import type { ToolResult } from '../../shared/result.ts';
import type { ModelImage } from '../engine/model/base/port.ts';
import type { Tool } from '../engine/tools/frame/tool.ts';
import { settleBackground } from './base/background.ts';
import { exitCodes, type Io, interruptible, refuse } from './base/io.ts';
import { type Parsed, projectOf, textFlag, unknownFlag } from './base/parseFlags.ts';
import { readAll } from './base/pipedInput.ts';
import { withEngine } from './base/startEngine.ts';
import { withPictures } from './base/withPictures.ts';

/** `vise tools`: every tool of a project. */
export function runTools(parsed: Parsed, io: Io): Promise<number> {
  return withEngine('tools', parsed, io, async ({ engine }) => {
    const toolset = await engine.toolset(projectOf(parsed, io));
    if (!toolset.ok) return refuse(io, 'tools', toolset.error.message);
    const { tools } = toolset.value;
    if (parsed.flags['json'] === true) io.out(`${JSON.stringify(tools.map(described))}\n`);
    else {
      const { columns } = await import('./terminal/columns.ts');
      // A line each where somebody looks; "vise tool NAME --help" tells the rest.
      const rows = tools.map(({ name, permission, category, about }) => [
        name,
        permission,
        category,
        about.split('\n', 1)[0] ?? '',
      ]);
      io.out(columns([], rows, io.stdoutIsTty ? io.screen?.columns() : undefined));
    }
    return exitCodes.done;
  });
}

function described(tool: Tool): object {
  return {
    name: tool.name,
    category: tool.category,
    permission: tool.permission,
    description: tool.about,
    inputSchema: tool.inputSchema(),
    source: tool.source,
    pseudo: tool.pseudo,
  };
}

/** `vise tool NAME`: one call through the same gate as any other; prints the ToolResult. */
export async function runTool(parsed: Parsed, io: Io): Promise<number> {
  const [name, ...more] = parsed.words;
  if (name === undefined || more.length > 0)
    return refuse(io, 'tool', 'name one tool: vise tool read_file --input \'{"filePath": "README.md"}\'');
  const path = projectOf(parsed, io);
  return withEngine('tool', parsed, io, async ({ engine }) => {
    const toolset = await engine.toolset(path, name);
    if (!toolset.ok) return refuse(io, 'tool', toolset.error.message);
    const input = await inputOf(parsed, io, toolset.value.find(name));
    if ('problem' in input) return refuse(io, 'tool', input.problem);
    const code = await interruptible(io, async (signal) => {
      let pictures: readonly ModelImage[] = [];
      const result = await engine.callTool(path, name, input.value, signal, {
        onPictures: (brought) => {
          pictures = brought;
        },
      });
      const shown = result.success ? { ...result, data: withPictures(result.data, pictures) } : result;
      io.out(`${JSON.stringify(shown, undefined, io.stdoutIsTty ? 2 : undefined)}\n`);
      return signal.aborted ? exitCodes.interrupted : exitCodeOf(result);
    });
    return settleBackground(engine, 'tool', parsed, io, code);
  });
}

function exitCodeOf(result: ToolResult): number {
  if (result.success) return exitCodes.done;
  const { code } = result.error;
  if (code === 'PERMISSION_REQUIRED' || code === 'PERMISSION_DENIED') return exitCodes.denied;
  return code === 'TOOL_NOT_FOUND' || code === 'VALIDATION_ERROR' ? exitCodes.usage : exitCodes.failed;
}

const ownFlags = new Set([
  'project',
  'input',
  'allow',
  'rules',
  'trust-workspace',
  'answer',
  'json',
  'wait',
  'no-wait',
  'keep',
]);

async function inputOf(
  parsed: Parsed,
  io: Io,
  tool: Tool | undefined,
): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  const given = textFlag(parsed, 'input');
  let value: Record<string, unknown> = {};
  if (given !== undefined) {
    const text = given === '-' ? await readAll(io, 'tool', 'the input as JSON') : given;
    try {
      const json: unknown = JSON.parse(text);
      if (typeof json !== 'object' || json === null || Array.isArray(json)) return { value: json };
      value = { ...json };
    } catch (error) {
      return { problem: `--input is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
    }
  }
  const known = tool && tellsAll(tool) ? propertiesOf(tool) : undefined;
  for (const [name, text] of Object.entries(parsed.flags)) {
    if (ownFlags.has(name) || typeof text !== 'string') continue;
    if (known && !Object.hasOwn(known, name))
      return { problem: unknownFlag(`--${name}`, [...Object.keys(known), ...ownFlags]) };
    value[name] = typed(text, typeOf(tool, name));
  }
  return { value };
}

/** The inputs of a tool by their names, as far as it tells them. */
function propertiesOf(tool: Tool): Readonly<Record<string, unknown>> {
  const { properties } = tool.inputSchema();
  return typeof properties === 'object' && properties !== null ? { ...properties } : {};
}

/** Whether a tool tells all of its inputs: only then a name can be wrong. */
function tellsAll(tool: Tool): boolean {
  const { properties, additionalProperties } = tool.inputSchema();
  return properties !== undefined && (additionalProperties === undefined || additionalProperties === false);
}

function typeOf(tool: Tool | undefined, name: string): unknown {
  const properties = tool ? propertiesOf(tool) : {};
  const property: unknown = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return typeof property === 'object' && property !== null && 'type' in property ? property.type : undefined;
}

/** A flag's text as the type that the tool declares; what does not fit stays text, for the tool's own error. */
function typed(text: string, type: unknown): unknown {
  if (type === 'string' || type === undefined) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
