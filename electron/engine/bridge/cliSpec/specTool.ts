import { covers, type Level } from '../../../../shared/model/level.ts';
import { fail, ok } from '../../../../shared/result.ts';
import { commandHash } from '../../permission/commandHash.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import type { Hands, JsonSchema, Tool } from '../../tools/frame/tool.ts';
import { withoutForbidden } from '../../tools/frame/withoutForbidden.ts';
import { argvRisk } from './argvRisk.ts';
import { buildArgv, commandWords } from './buildArgv.ts';
import { commandInputs } from './commandInputs.ts';
import type { RunProgram } from './program.ts';
import { runSpec, type SpecOutcome } from './runSpec.ts';
import { plainLine } from './specInstructions.ts';
import type { NamedCommand } from './specNames.ts';
import type { CliSpec, SpecArg, SpecCommand, SpecFlag } from './specTypes.ts';

export interface SpecToolParts {
  /** How a call runs its program; `added` joins the environment that is usual there. */
  runner(hands: Hands, added: Readonly<Record<string, string>>): RunProgram;
  /** The scrubbed environment of children. */
  env(): Readonly<Record<string, string>>;
  /** The real path of the project. */
  readonly cwd: string;
  /** The level that the user set for a tool or a spec, else undefined. */
  level(tool: string, spec: string): Level | undefined;
}

/**
 * A command of a spec as a tool. It is asked as a command with its exact words, by the level that the user has set; else as
 * moderate, or as dangerous where the words are known to change something (`git reset --hard`).
 */
export function specTool({ name, loaded, command }: NamedCommand, parts: SpecToolParts): Tool {
  const { spec, source, resolvedBinaryPath, binaryInProject } = loaded;
  // Specs of a project are loaded only when it is trusted; a program that it brings along stays dangerous even then.
  const usual: Level = binaryInProject ? 'dangerous' : 'moderate';
  const wish = parts.level(name, spec.name);
  const set = wish ?? usual;
  // The setting goes by name, and a project may give its spec the name of one that the user made easy.
  const permission = source === 'project' || binaryInProject ? (covers(set, usual) ? set : usual) : set;
  return {
    name,
    category: 'spec',
    permission,
    about: plainLine(command.description),
    source: `spec ${spec.name} (${source})`,
    mayOnlyRead: argvRisk([resolvedBinaryPath, ...commandWords(command)]) === 'reads',
    inputSchema: () => inputSchema(loaded.spec, command),
    async prepare(input) {
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return fail('VALIDATION_ERROR', `The input of ${name} must be an object`);
      const built = buildArgv(spec, command, input as Readonly<Record<string, unknown>>); // an object, as was checked
      if (!built.ok) return built;
      const { args, stdin } = built.value;
      const added = source === 'user' ? (command.env ?? {}) : {};
      const argv = [resolvedBinaryPath, ...args];
      // What it reads is part of what is approved, so it is part of what is shown.
      const text = [...argv.map(quoteWord), ...(stdin === undefined ? [] : ['<<<', quoteWord(stdin)])].join(' ');
      const risk = argvRisk(argv);
      const hash = commandHash({ command: text, argv, cwd: parts.cwd, env: added });
      return ok({
        warnings: unknownNames(spec, command, input),
        intent: {
          risk: risk === 'changes' && wish === undefined ? 'dangerous' : permission,
          effects: ['executes'],
          provenReadOnly: risk === 'reads' && Object.keys(added).length === 0,
          targets: [{ kind: 'command', command: text, argv, cwd: parts.cwd }],
          summary: `Run ${[spec.name, command.name === 'run' ? '' : command.name].join(' ').trim()}`,
          preview: { kind: 'command', command: text, argv, cwd: parts.cwd, mode: 'direct', hash, env: added },
        },
        async run(hands) {
          const outcome = await runSpec(
            command,
            {
              file: resolvedBinaryPath,
              args,
              cwd: parts.cwd,
              env: { ...parts.env(), ...added },
              signal: hands.signal,
              stdin,
            },
            parts.runner(hands, added),
          );
          const blocks = outcome.blocks.map((block) => withoutForbidden(block, hands.look, parts.cwd));
          const isWhole = blocks.every((block, index) => block === outcome.blocks[index]);
          return specResult(isWhole ? outcome : { ...outcome, blocks, structured: undefined });
        },
      });
    },
  };
}

function unknownNames(spec: CliSpec, command: SpecCommand, input: object): readonly string[] {
  const { args, globals, flags } = commandInputs(spec, command);
  const known = new Set([...args, ...globals, ...flags].map((entry) => entry.name));
  return Object.keys(input)
    .filter((key) => !known.has(key))
    .map((key) => `Unknown property ${key} is ignored`);
}

function specResult(outcome: SpecOutcome) {
  const { isError, blocks, structured, exitCode } = outcome;
  if (!isError) return ok({ output: blocks[0] ?? '', ...(structured ? { structured: structured.value } : {}) });
  const code = blocks.some((block) => block.startsWith('[timed out')) ? 'TIMEOUT' : 'TOOL_EXECUTION_FAILED';
  return fail(code, blocks.join('\n'), { blocks, exitCode });
}

/** The blocks that an MCP client gets for the answer of a bridged tool. */
export function specBlocks(data: unknown): readonly string[] | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if ('output' in data && typeof data.output === 'string') return [data.output];
  if (!('blocks' in data) || !Array.isArray(data.blocks)) return undefined;
  return data.blocks.filter((block) => typeof block === 'string');
}

function inputSchema(spec: CliSpec, command: SpecCommand): JsonSchema {
  const { args, globals, flags } = commandInputs(spec, command);
  const inputs: readonly (SpecArg | SpecFlag)[] = [...args, ...globals, ...flags];
  return {
    type: 'object',
    properties: Object.fromEntries(inputs.map((input) => [input.name, property(input)])),
    required: inputs.filter(({ required }) => required).map(({ name }) => name),
  };
}

function property(input: SpecArg | SpecFlag): JsonSchema {
  const one = {
    type: input.type === 'path' ? 'string' : input.type,
    ...('enum' in input && Array.isArray(input.enum) && input.enum.length > 0 ? { enum: input.enum } : {}),
  };
  const about = `${plainLine(input.description)}${hint(input)}`;
  if (input.repeated === true) return { type: 'array', items: one, description: about };
  return {
    ...one,
    description: about,
    ...('default' in input && input.default !== undefined ? { default: input.default } : {}),
  };
}

/** How a value is given that is no plain one. */
function hint(input: SpecArg | SpecFlag): string {
  if ('values' in input && input.values !== undefined) return ` (${input.values} entries each time)`;
  return 'valueOptional' in input && input.valueOptional === true ? ' (empty: without a value)' : '';
}
