import type { ToolResult } from '../../shared/result.ts';
import type { Tool } from '../engine/tools/tool.ts';
import { checkRules } from './checkRules.ts';
import { type Parsed, textFlag, unknownFlag } from './flags.ts';
import { exitCodes, type Io } from './io.ts';
import { startEngine } from './startEngine.ts';

/** `vise tools`: every tool of a project. */
export async function runTools(parsed: Parsed, io: Io): Promise<number> {
  const { engine, close } = startEngine(parsed, io, false);
  try {
    const toolset = await engine.toolset(textFlag(parsed, 'project') ?? io.cwd);
    if (!toolset.ok) {
      io.err(`vise tools: ${toolset.error.message}\n`);
      return exitCodes.usage;
    }
    const { tools } = toolset.value;
    if (parsed.flags['json'] === true) io.out(`${JSON.stringify(tools.map(described))}\n`);
    else {
      const width = Math.max(...tools.map(({ name }) => name.length));
      for (const tool of tools)
        io.out(
          `${tool.name.padEnd(width)}  ${tool.permission.padEnd(9)}  ${tool.category.padEnd(8)}  ${tool.about.split('\n', 1)[0]}\n`,
        );
    }
    return exitCodes.done;
  } finally {
    await close();
  }
}

function described(tool: Tool): object {
  return {
    name: tool.name,
    category: tool.category,
    permission: tool.permission,
    description: tool.about,
    inputSchema: tool.inputSchema(),
    source: tool.source,
    ...(tool.pseudo === undefined ? {} : { pseudo: tool.pseudo }),
  };
}

/** `vise tool NAME`: one call through the same gate as any other; prints the ToolResult. */
export async function runTool(parsed: Parsed, io: Io): Promise<number> {
  const [name, ...more] = parsed.words;
  if (name === undefined || more.length > 0) {
    io.err('vise tool: name one tool: vise tool read_file --input \'{"filePath": "README.md"}\'\n');
    return exitCodes.usage;
  }
  const wrongRules = await checkRules(parsed);
  if (wrongRules !== undefined) {
    io.err(`vise tool: ${wrongRules}\n`);
    return exitCodes.usage;
  }
  const { engine, close } = startEngine(parsed, io, false);
  try {
    const toolset = await engine.toolset(textFlag(parsed, 'project') ?? io.cwd, name);
    if (!toolset.ok) {
      io.err(`vise tool: ${toolset.error.message}\n`);
      return exitCodes.usage;
    }
    const input = await inputOf(parsed, io, toolset.value.find(name));
    if ('problem' in input) {
      io.err(`vise tool: ${input.problem}\n`);
      return exitCodes.usage;
    }
    const stop = new AbortController();
    const interrupt = io.onInterrupt(() => stop.abort());
    const result = await engine.callTool(textFlag(parsed, 'project') ?? io.cwd, name, input.value, stop.signal);
    interrupt.dispose();
    io.out(`${JSON.stringify(result, undefined, io.stdoutIsTty ? 2 : undefined)}\n`);
    return stop.signal.aborted ? exitCodes.interrupted : exitCodeOf(result);
  } finally {
    await close();
  }
}

function exitCodeOf(result: ToolResult): number {
  if (result.success) return exitCodes.done;
  const { code } = result.error;
  if (code === 'PERMISSION_REQUIRED' || code === 'PERMISSION_DENIED') return exitCodes.denied;
  return code === 'TOOL_NOT_FOUND' || code === 'VALIDATION_ERROR' ? exitCodes.usage : exitCodes.failed;
}

const ownFlags = new Set(['project', 'input', 'allow', 'rules', 'trust-workspace', 'answer', 'json']);

async function inputOf(
  parsed: Parsed,
  io: Io,
  tool: Tool | undefined,
): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  const given = textFlag(parsed, 'input');
  let value: Record<string, unknown> = {};
  if (given !== undefined) {
    const text = given === '-' ? await io.readStdin() : given;
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
