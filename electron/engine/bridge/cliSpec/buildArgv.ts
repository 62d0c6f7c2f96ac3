import { fail, ok, type Result } from '../../../../shared/result.ts';
import { commandInputs } from './commandInputs.ts';
import type { CliSpec, SpecArg, SpecCommand, SpecFlag } from './specTypes.ts';

export interface BuiltArgv {
  readonly args: readonly string[];
  readonly stdin?: string;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * The words for one command: its name, global flags, its flags, then positionals, each in the order of the spec. Values
 * become words of their own and never text for a shell. Errors: VALIDATION_ERROR, which names the parameter.
 */
export function buildArgv(spec: CliSpec, command: SpecCommand, input: Input): Result<BuiltArgv> {
  const { globals, flags, args } = commandInputs(spec, command);
  const before: string[] = [];
  const words = commandWords(command);
  for (const flag of [...globals, ...flags]) {
    const added = flagWords(flag, input[flag.name]);
    if (!added.ok) return added;
    const isFirst = spec.globalFlagsFirst === true && globals.includes(flag);
    (isFirst ? before : words).push(...added.value);
  }
  const positionals = positionalWords(
    args.filter(({ name }) => name !== command.stdin),
    input,
  );
  if (!positionals.ok) return positionals;
  const { texts, dashesAt } = positionals.value;
  // Else a value such as `--output=x` would be an option of the binary.
  const firstDash = texts.findIndex((text) => text.startsWith('-'));
  const isLate = dashesAt >= 0 && (firstDash < 0 || firstDash >= dashesAt);
  if (isLate) texts.splice(dashesAt, 0, '--');
  else if (firstDash >= 0 && spec.noDoubleDash !== true) words.push('--');
  words.unshift(...before);
  words.push(...texts);
  const stdin = command.stdin === undefined ? undefined : input[command.stdin];
  const nul = words.find((word) => word.includes('\0'));
  if (nul !== undefined)
    return fail('VALIDATION_ERROR', `A value has a NUL character: ${JSON.stringify(nul.slice(0, 60))}`);
  return ok({ args: words, ...(typeof stdin === 'string' ? { stdin } : {}) });
}

/** `run` stands for the binary itself, so a sub-command of that name has its words beside it. */
export function commandWords({ name, words }: SpecCommand): string[] {
  if (words !== undefined) return words.split(' ').filter((word) => word !== '');
  return name === 'run' ? [] : name.split(' ');
}

function flagWords(flag: SpecFlag, value: unknown): Result<readonly string[]> {
  if (value === undefined || value === null) return flag.required ? missing(flag.name) : ok([]);
  const isList = flag.repeated === true && !(flag.type === 'boolean' && typeof value === 'boolean');
  if (isList && !Array.isArray(value)) return wrong(flag.name, 'must be an array');
  const values: readonly unknown[] = isList ? (value as readonly unknown[]) : [value]; // an array, as was checked
  const each = flag.values ?? 1;
  if (values.length % each !== 0) return wrong(flag.name, `takes ${each} values each time`);
  const words: string[] = [];
  for (const [i, one] of values.entries()) {
    const text = flagText(flag, one);
    if (!text.ok) return text;
    words.push(
      ...(each === 1 ? wordsOf(flag, one, text.value) : [...(i % each === 0 ? [nameOf(flag)] : []), text.value]),
    );
  }
  return ok(words);
}

/** The words for one value of a flag. */
function wordsOf(flag: SpecFlag, value: unknown, text: string): readonly string[] {
  const name = nameOf(flag);
  const isJoined = flag.separator === 'equals';
  if (flag.type === 'boolean') {
    if (value === true) return [name];
    return flag.negatable === true ? [`--no-${flag.name}`] : isJoined ? [`${name}=false`] : [];
  }
  if (text === '' && flag.valueOptional === true) return [name];
  if (flag.dashes === 1) return text.startsWith('-') ? [`${name}${text}`] : [name, text];
  return isJoined || text.startsWith('-') ? [`${name}=${text}`] : [name, text];
}

function nameOf({ name, dashes }: SpecFlag): string {
  return `${dashes === 1 ? '-' : '--'}${name}`;
}

function flagText({ name, type, enum: words }: SpecFlag, value: unknown): Result<string> {
  const fault = typeFault(type, value);
  if (fault !== undefined) return wrong(name, fault);
  if (Array.isArray(words) && words.length > 0 && !words.includes(value))
    return wrong(name, `must be one of ${words.map((word) => JSON.stringify(word)).join(', ')}`);
  return ok(String(value as string | number | boolean)); // typeFault let nothing else pass
}

function positionalWords(
  args: readonly SpecArg[],
  input: Input,
): Result<{ readonly texts: string[]; readonly dashesAt: number }> {
  const texts: string[] = [];
  let dashesAt = -1;
  let left: string | undefined;
  for (const { name, type, required, repeated, afterDashes } of args) {
    const value = input[name];
    if (value === undefined || value === null) {
      if (required) return missing(name);
      left ??= name;
      continue;
    }
    if (left !== undefined) return wrong(left, `is needed when ${name} is given, since both are told by their place`);
    if (repeated === true && !Array.isArray(value)) return wrong(name, 'must be an array');
    const values: readonly unknown[] = repeated === true ? (value as readonly unknown[]) : [value]; // an array, as was checked
    if (repeated === true && required && values.length === 0) return missing(name);
    if (afterDashes === true && dashesAt < 0 && values.length > 0) dashesAt = texts.length;
    for (const one of values) {
      const fault = typeFault(type, one);
      if (fault !== undefined) return wrong(name, fault);
      texts.push(typeof one === 'string' ? one : JSON.stringify(one));
    }
  }
  return ok({ texts, dashesAt });
}

function typeFault(type: SpecFlag['type'], value: unknown): string | undefined {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a finite number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'string':
    case 'path':
      if (typeof value !== 'string') return 'must be a string';
      return value.includes('\0') ? 'must not have a NUL character' : undefined;
  }
}

function missing(name: string) {
  return fail('VALIDATION_ERROR', `${name} is required`, [{ path: name, message: 'Required' }]);
}

function wrong(name: string, message: string) {
  return fail('VALIDATION_ERROR', `${name} ${message}`, [{ path: name, message }]);
}
