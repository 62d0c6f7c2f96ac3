import { type Action, findParam, type Param } from './action.ts';
import { nearestName } from './registry.ts';
import type { Token, Tokens, Value } from './tokenize.ts';
import { typeDeclared, typeGeneric } from './valueTypes.ts';

/** One flag as it was given. */
export interface Given {
  readonly key: string;
  /** Absent for a flag without a value, and for `--no-x`. */
  readonly value?: Value | undefined;
  readonly negated?: true;
  readonly param?: Param | undefined;
}

/** A command taken apart, before it is known whether it makes sense. */
export interface ParsedCommand {
  readonly module?: string | undefined;
  readonly action?: string | undefined;
  readonly given: readonly Given[];
  readonly ignored: readonly string[];
  /** The flag in front of the first word that is ignored. */
  readonly before?: Given | undefined;
  readonly warnings: readonly string[];
}

export interface TypedParams {
  /** By flag text. */
  readonly params: Record<string, unknown>;
  /** By declared name; undeclared flags keep their text. */
  readonly named: Record<string, unknown>;
  readonly warnings: readonly string[];
  /** Values that do not fit what is declared. */
  readonly errors: readonly string[];
  /** Flags of required parameters that are missing, in declared order. */
  readonly missing: readonly string[];
}

/** Takes tokens apart: prefix, module, action, then flags. `find` gives what the action declares. */
export function parseTokens(
  { tokens }: Tokens,
  find: (module: string, action: string) => Action | undefined,
): ParsedCommand {
  const rest = tokens.slice(1);
  const module = takeWord(rest);
  const action = module === undefined ? undefined : takeWord(rest);
  const declared = module === undefined || action === undefined ? undefined : find(module, action);
  const given: Given[] = [];
  const ignored: string[] = [];
  let before: Given | undefined;
  const warnings: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const token = rest[at];
    if (token === undefined) break;
    if (token.flag === undefined) {
      if (ignored.length === 0) before = given.at(-1);
      ignored.push(token.text);
      warnings.push(ignoredWarning(token));
      continue;
    }
    const flag = readFlag(token.flag, rest[at + 1], declared);
    if (flag.tookNext) at += 1;
    const same = given.findIndex(({ key, param }) => key === flag.given.key || (param && param === flag.given.param));
    if (same >= 0) {
      given.splice(same, 1);
      warnings.push(`--${flag.given.key} was given more than once; the last one counts`);
    }
    given.push(flag.given);
  }
  return {
    module,
    action,
    given,
    ignored,
    before,
    warnings,
  };
}

function takeWord(tokens: Token[]): string | undefined {
  const first = tokens[0];
  if (first === undefined || first.flag !== undefined || first.text.startsWith('--')) return undefined;
  tokens.shift();
  return first.text;
}

function readFlag(
  flag: { readonly name: string; readonly value?: Value },
  next: Token | undefined,
  declared: Action | undefined,
): { readonly given: Given; readonly tookNext: boolean } {
  const { name } = flag;
  const own = declared && findParam(declared, name);
  if (flag.value !== undefined) return { given: given(name, own, flag.value), tookNext: false };
  if (name.startsWith('no-') && name.length > 3 && own === undefined) {
    const key = name.slice(3);
    const param = declared && findParam(declared, key);
    return { given: { ...given(key, param), negated: true }, tookNext: false };
  }
  const hasValue = next !== undefined && next.flag === undefined;
  const mayTake = own?.type !== 'boolean' || next?.text === 'true' || next?.text === 'false';
  if (!hasValue || !mayTake) return { given: given(name, own), tookNext: false };
  return { given: given(name, own, next), tookNext: true };
}

function given(key: string, param?: Param, value?: Value): Given {
  return { key, param, value };
}

const shellOperator = /^(?:\d*[<>]|[|&;])/;

function ignoredWarning({ text, quoted }: Token): string {
  const plain = `ignored: ${clipped(text)}`;
  return !quoted && shellOperator.test(text) ? `${plain} (shell syntax needs terminal exec --command)` : plain;
}

function clipped(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

/** Why a command with a shell's operator does nothing, and what to send instead. */
export function operatorRefusal(operator: string): string {
  return `Nothing was run: ${operator} is for a shell, and this is no shell. Send one command a call; put a value that holds ${operator} in quotes; what needs a shell goes into codebolt terminal exec --command "…"`;
}

/** Why words without a flag are not let pass: the flags behind them may have been meant for another command. */
export function wordsRefusal({ given, ignored, before }: ParsedCommand, action: Action, prefix = ''): string {
  if (ignored.includes(prefix)) return `Nothing was run: ${prefix} stands there a second time. Send one command a call`;
  const words = clipped(ignored.join(' '));
  const free = action.params.filter((one) => one.type !== 'boolean' && !given.some(({ param }) => param === one));
  const wanted = free.find(({ required }) => required) ?? free[0];
  const hint =
    before?.value && before.param?.type === 'string'
      ? `A value with blanks stands in quotes: --${before.key} "${clipped(`${before.value.text} ${words}`)}"`
      : wanted === undefined
        ? `${action.module} ${action.action} takes no more`
        : `Is ${wanted.flag} "${words}" meant?`;
  return `Nothing was run: ${words} ${ignored.length === 1 ? 'stands' : 'stand'} there without a flag. ${hint}`;
}

/** Gives each flag its value: by the declared type where there is one, else by its look. */
export function typeParams(parsed: ParsedCommand, action: Action | undefined): TypedParams {
  const params = Object.create(null) as Record<string, unknown>;
  const named = Object.create(null) as Record<string, unknown>;
  const warnings: string[] = [];
  const errors: string[] = [];
  for (const { key, value, negated, param } of parsed.given) {
    const generic = negated ? { value: false } : typeGeneric(value);
    let typed = generic.value;
    if (param !== undefined) {
      const fitted = typeDeclared(param, negated ? 'negated' : value, generic.value);
      if (fitted.ok) typed = fitted.value;
      else errors.push(fitted.message);
    }
    if (generic.warning !== undefined && typed === generic.value) warnings.push(`--${key}: ${generic.warning}`);
    if (action !== undefined && param === undefined && key !== 'help') warnings.push(unknownFlag(key, action));
    params[key] = typed;
    named[param?.name ?? key] = typed;
  }
  const missing = (action?.params ?? []).filter((param) => param.required && !(param.name in named));
  return { params, named, warnings, errors, missing: missing.map((param) => param.flag) };
}

function unknownFlag(key: string, action: Action): string {
  const near = nearestName(
    key,
    action.params.map((param) => param.flag.slice(2)),
  );
  return `--${key} is not a flag of ${action.module} ${action.action}${near === undefined ? '' : `; did you mean --${near}?`}`;
}

/** For `cd x && codebolt …`: what stands before or behind it is for a shell. */
export function aloneHint(prefix: string): string {
  return `Send each ${prefix} command as a call of its own; its paths count from the project's folder, so no cd comes before it`;
}
