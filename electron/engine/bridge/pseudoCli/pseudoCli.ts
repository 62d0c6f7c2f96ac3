import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Action, ActionPorts } from './action.ts';
import { actionHelp, moduleHelp, overallHelp } from './help.ts';
import { defaultPrefixes, isPseudo } from './intercept.ts';
import {
  aloneHint,
  operatorRefusal,
  type ParsedCommand,
  parseTokens,
  type TypedParams,
  typeParams,
  wordsRefusal,
} from './parse.ts';
import { createRegistry, nearestName, type Registry } from './registry.ts';
import { errorResult, helpResult, outcomeResult, type PseudoError, type PseudoResult } from './shapes.ts';
import { type Tokens, tokenize, tokensOfArguments } from './tokenize.ts';

/** What `vise call --parse` and `vise inspect pseudo` print. */
export interface ParseOnly {
  readonly module: string | null;
  readonly action: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly ignored: readonly string[];
  readonly warnings: readonly string[];
  readonly error?: PseudoError;
}

/** A command line, or a program with separate words. */
export type PseudoCommand = string | { readonly command: string; readonly args: readonly string[] };

export interface PseudoCli {
  readonly registry: Registry;
  /** Whether a tool that would run this command must hand it here. */
  isPseudo(command: string): boolean;
  /** Starts nothing and never throws. */
  parseOnly(command: PseudoCommand): ParseOnly;
  /** Runs one command through the ports. A fault of the action is a result, not a throw. */
  run(command: PseudoCommand, ports: Omit<ActionPorts, 'nested' | 'warn'>): Promise<PseudoResult>;
}

/** The part that tools need; behind it the actions may be gathered at the first command. */
export type CommandRunner = Pick<PseudoCli, 'isPseudo' | 'run'>;

/** A command in a command in a command; deeper is taken for a loop. */
const maxDepth = 4;

type Reading =
  | { readonly kind: 'help'; readonly text: string; readonly parsed: ParsedCommand }
  | {
      readonly kind: 'error';
      readonly error: PseudoError;
      readonly more?: string;
      readonly parsed: ParsedCommand;
      readonly typed?: TypedParams;
    }
  | { readonly kind: 'call'; readonly action: Action; readonly parsed: ParsedCommand; readonly typed: TypedParams };

export function createPseudoCli(actions: readonly Action[], prefixes: readonly string[] = defaultPrefixes): PseudoCli {
  const registry = createRegistry(actions);

  async function run(
    command: PseudoCommand,
    lent: Omit<ActionPorts, 'nested' | 'warn'>,
    depth: number,
  ): Promise<PseudoResult> {
    if (depth > maxDepth) return errorResult({ message: 'The command is nested too deeply', type: 'EXECUTION_FAILED' });
    const reading = read(command, registry, prefixes);
    if (reading.kind === 'help') return helpResult(reading.text);
    const warnings = [...reading.parsed.warnings, ...(reading.typed?.warnings ?? [])];
    if (reading.kind === 'error') return errorResult(reading.error, reading.more, warnings);
    const { action, typed } = reading;
    const ports: ActionPorts = {
      ...lent,
      nested: (inner) => (isPseudo(inner, prefixes) ? run(inner, lent, depth + 1).then(asOutcome) : undefined),
      warn: (text) => warnings.push(text),
    };
    const outcome = await settled(action.run(typed.named, ports));
    return outcomeResult(`${action.module} ${action.action}`, outcome, warnings);
  }

  return {
    registry,
    isPseudo: (command) => isPseudo(command, prefixes),
    parseOnly: (command) => parseOnly(read(command, registry, prefixes)),
    run: (command, ports) => run(command, ports, 1),
  };
}

function asOutcome(result: PseudoResult): Result<unknown> {
  if (result.error === undefined) return ok(result.llmContent);
  const code = result.error.type === 'INVALID_TOOL_PARAMS' ? 'VALIDATION_ERROR' : 'TOOL_EXECUTION_FAILED';
  return fail(code, result.error.message);
}

/** A throw of an action is a bug, but the agent must get an answer for each call. */
async function settled(outcome: Promise<Result<unknown>>): Promise<Result<unknown>> {
  try {
    return await outcome;
  } catch (error) {
    return fail('TOOL_EXECUTION_FAILED', error instanceof Error ? error.message : String(error));
  }
}

function parseOnly(reading: Reading): ParseOnly {
  const { parsed } = reading;
  const typed =
    reading.kind === 'help' ? typeParams(parsed, undefined) : (reading.typed ?? typeParams(parsed, undefined));
  return {
    module: parsed.module ?? null,
    action: parsed.action ?? null,
    params: typed.params,
    ignored: parsed.ignored,
    warnings: [...parsed.warnings, ...typed.warnings],
    ...(reading.kind === 'error' ? { error: reading.error } : {}),
  };
}

function read(command: PseudoCommand, registry: Registry, prefixes: readonly string[]): Reading {
  const tokens =
    typeof command === 'string' ? tokenize(command) : tokensOfArguments([command.command, ...command.args]);
  const parsed = parseTokens(tokens, registry.find);
  const prefix = tokens.tokens[0]?.text;
  if (prefix !== undefined && !prefixes.includes(prefix)) {
    const later =
      tokens.operator === undefined
        ? undefined
        : prefixes.find((one) => tokens.tokens.some(({ text }) => text === one));
    const message = `A command begins with ${prefixes.join(' or ')}, not with ${prefix.slice(0, 60)}`;
    return invalid(parsed, later === undefined ? message : `${message}. ${aloneHint(later)}`);
  }
  if (tokens.operator !== undefined) {
    const action = registry.find(parsed.module ?? '', parsed.action ?? '');
    return invalid(parsed, operatorRefusal(tokens.operator), undefined, typeParams(parsed, action));
  }
  return readHelp(parsed, tokens, registry) ?? readCall(parsed, tokens, registry);
}

function invalid(parsed: ParsedCommand, message: string, more?: string, typed?: TypedParams): Reading {
  return {
    kind: 'error',
    error: { message, type: 'INVALID_TOOL_PARAMS' },
    parsed,
    more,
    typed,
  };
}

function readHelp(parsed: ParsedCommand, tokens: Tokens, registry: Registry): Reading | undefined {
  const { module, action, given, ignored } = parsed;
  const flagged = given.some(({ key, negated }) => key === 'help' && !negated);
  if (module === undefined) {
    if (!flagged && (given.length > 0 || ignored.length > 0 || tokens.error !== undefined)) return undefined;
    return { kind: 'help', text: overallHelp(registry), parsed };
  }
  if (module === 'help') return helpFor(parsed, registry, action, ignored[0]);
  if (action === 'help' && registry.find(module, 'help') === undefined) return helpFor(parsed, registry, module);
  if (action === undefined && tokens.error === undefined && (flagged || given.length === 0))
    return helpFor(parsed, registry, module);
  if (flagged && action !== undefined) return helpFor(parsed, registry, module, action);
  return undefined;
}

function helpFor(parsed: ParsedCommand, registry: Registry, module?: string, action?: string): Reading {
  if (module === undefined) return { kind: 'help', text: overallHelp(registry), parsed };
  const actions = registry.modules.get(module);
  if (actions === undefined) return unknownModule(parsed, registry, module);
  if (action === undefined) return { kind: 'help', text: moduleHelp(actions), parsed };
  const found = actions.get(action);
  return found === undefined
    ? unknownAction(parsed, module, actions, action)
    : { kind: 'help', text: actionHelp(found), parsed };
}

function readCall(parsed: ParsedCommand, tokens: Tokens, registry: Registry): Reading {
  const { module, action: actionName } = parsed;
  if (module === undefined)
    return invalid(parsed, tokens.error ?? 'The module is missing: codebolt <module> <action> comes before the flags');
  const actions = registry.modules.get(module);
  if (actions === undefined) return unknownModule(parsed, registry, module);
  if (actionName === undefined)
    return invalid(parsed, tokens.error ?? `The action is missing after ${module}`, list('Actions', actions.keys()));
  const action = actions.get(actionName);
  if (action === undefined) return unknownAction(parsed, module, actions, actionName);
  const typed = typeParams(parsed, action);
  if (tokens.error !== undefined) return invalid(parsed, tokens.error, undefined, typed);
  if (typed.errors.length > 0) return invalid(parsed, typed.errors.join('; '), undefined, typed);
  const words = parsed.ignored.length > 0 ? wordsRefusal(parsed, action, tokens.tokens[0]?.text) : undefined;
  if (typed.missing.length > 0)
    return invalid(parsed, `${module} ${actionName} needs ${typed.missing.join(', ')}`, words, typed);
  if (words !== undefined) return invalid(parsed, words, undefined, typed);
  return { kind: 'call', action, parsed, typed };
}

function unknownModule(parsed: ParsedCommand, registry: Registry, module: string): Reading {
  return unknown(parsed, `Unknown module ${module.slice(0, 60)}`, 'Modules', module, [...registry.modules.keys()]);
}

function unknownAction(
  parsed: ParsedCommand,
  module: string,
  actions: ReadonlyMap<string, Action>,
  action: string,
): Reading {
  return unknown(parsed, `Unknown action ${action.slice(0, 60)} of ${module}`, 'Actions', action, [...actions.keys()]);
}

function unknown(
  parsed: ParsedCommand,
  message: string,
  what: string,
  name: string,
  names: readonly string[],
): Reading {
  const near = nearestName(name, names);
  return invalid(parsed, near === undefined ? message : `${message}; did you mean ${near}?`, list(what, names));
}

function list(what: string, names: Iterable<string>): string {
  return `${what}: ${[...names].join(', ')}`;
}
