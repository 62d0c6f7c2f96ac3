import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { CliSpec, SpecOutput } from './specTypes.ts';

export interface SpecIssue {
  /** As `commands[0].flags[2].name`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

export type SpecCheck =
  | { readonly ok: true; readonly spec: CliSpec; readonly warnings: readonly SpecIssue[] }
  | { readonly ok: false; readonly errors: readonly SpecIssue[]; readonly warnings: readonly SpecIssue[] };

type Fields = Readonly<Record<string, unknown>>;

const valueTypes: readonly unknown[] = ['string', 'number', 'boolean', 'path'];
const formats: readonly unknown[] = ['json', 'text', 'csv', 'tsv', 'jsonl'];
const flagName = /^[a-z][a-z0-9-]*$/;
const commandName = /^[A-Za-z0-9][A-Za-z0-9_.:-]*(?: [A-Za-z0-9][A-Za-z0-9_.:-]*)*$/;
/** A longer pattern detects nothing that a short one could not. */
const maxPattern = 1_000;

/**
 * Checks a value against schema 1 and collects all faults. `strict` is for specs that Vise wrote itself: what is only a
 * warning for the specs of others (so that none that was valid elsewhere is refused) is an error there.
 */
export function validateSpec(input: unknown, strict = false): SpecCheck {
  const check = new Check();
  const spec = check.object(input, '', 'Input must be an object');
  if (spec) checkSpec(check, spec);
  const errors = strict ? [...check.errors, ...check.warnings] : check.errors;
  const warnings = strict ? [] : check.warnings;
  // Every field that the type names was checked above.
  return errors.length === 0 ? { ok: true, spec: input as CliSpec, warnings } : { ok: false, errors, warnings };
}

class Check {
  readonly errors: SpecIssue[] = [];
  readonly warnings: SpecIssue[] = [];

  error(path: string, message: string): void {
    this.errors.push({ path, message });
  }

  warn(path: string, message: string): void {
    this.warnings.push({ path, message });
  }

  object(value: unknown, path: string, message = 'Must be an object'): Fields | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields; // just checked
    this.error(path, message);
    return undefined;
  }

  text(value: unknown, path: string, maxLength = Infinity): value is string {
    if (typeof value !== 'string' || value === '') this.error(path, 'Must be a non-empty string');
    else if (value.length > maxLength) this.error(path, `Must not exceed ${maxLength} characters`);
    else return true;
    return false;
  }

  list(value: unknown, path: string): readonly unknown[] {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value as readonly unknown[];
    this.error(path, 'Must be an array');
    return [];
  }

  filled(value: unknown, path: string): readonly unknown[] {
    if (Array.isArray(value) && value.length > 0) return value as readonly unknown[];
    this.error(path, 'Must be an array with at least 1 element');
    return [];
  }

  optionalText(value: unknown, path: string): void {
    if (value !== undefined && typeof value !== 'string') this.error(path, 'Must be a string');
  }
}

function checkSpec(check: Check, spec: Fields): void {
  if (typeof spec['name'] !== 'string' || !flagName.test(spec['name']))
    check.error('name', `Must be a lowercase string matching ${String(flagName)}`);
  if (spec['specVersion'] !== '1') check.error('specVersion', 'must equal "1"');
  check.text(spec['binary'], 'binary');
  check.text(spec['binaryVersion'], 'binaryVersion');
  check.text(spec['description'], 'description', 500);
  const detection = check.object(spec['versionDetection'], 'versionDetection');
  if (detection) {
    check.text(detection['command'], 'versionDetection.command');
    checkPattern(check, detection['pattern'], 'versionDetection.pattern');
  }
  if (spec['registration'] !== undefined) checkRegistration(check, spec['registration']);
  const triggers = check.object(spec['triggers'], 'triggers');
  if (triggers)
    for (const kind of ['positive', 'negative'] as const) checkTriggers(check, triggers[kind], `triggers.${kind}`);
  const globals = check.list(spec['globalFlags'], 'globalFlags');
  globals.forEach((flag, i) => checkFlag(check, flag, `globalFlags[${i}]`));
  const commands = check.filled(spec['commands'], 'commands');
  if (commands.length > 200) check.warn('commands', 'Must not have more than 200 elements');
  const names = new Set<unknown>();
  commands.forEach((command, i) => checkCommand(check, command, `commands[${i}]`, names, namesOf(globals)));
}

function checkPattern(check: Check, pattern: unknown, path: string): void {
  if (!check.text(pattern, path, maxPattern)) return;
  let groups: number;
  try {
    groups = (new RegExp(`${pattern}|`).exec('')?.length ?? 1) - 1; // on an empty text nothing can backtrack
  } catch {
    check.error(path, 'Must be a valid regular expression');
    return;
  }
  if (!pattern.includes('(')) check.error(path, 'Pattern must contain at least one capture group');
  else if (groups === 0) check.warn(path, 'Pattern must contain at least one capture group');
}

function checkRegistration(check: Check, value: unknown): void {
  const registration = check.object(value, 'registration');
  if (!registration) return;
  check.text(registration['resolvedPath'], 'registration.resolvedPath');
  check.text(registration['registeredAt'], 'registration.registeredAt');
  const help = registration['helpOutput'];
  check.optionalText(help, 'registration.helpOutput');
  if (typeof help === 'string' && help.length > 2_000)
    check.error('registration.helpOutput', 'Must not exceed 2000 characters');
}

function checkTriggers(check: Check, value: unknown, path: string): void {
  const triggers = check.filled(value, path);
  triggers.forEach((trigger, i) => check.text(trigger, `${path}[${i}]`, 200));
  if (triggers.length > 20) check.warn(path, 'Must not have more than 20 elements');
}

function checkCommand(
  check: Check,
  value: unknown,
  path: string,
  names: Set<unknown>,
  globals: ReadonlySet<unknown>,
): void {
  const command = check.object(value, path);
  if (!command) return;
  const name = command['name'];
  if (check.text(name, `${path}.name`) && !commandName.test(name))
    check.warn(`${path}.name`, `Must match ${String(commandName)}`);
  if (names.has(name)) check.warn(`${path}.name`, 'Must be unique');
  names.add(name);
  check.text(command['description'], `${path}.description`, 500);
  check.text(command['usage'], `${path}.usage`);
  const { words } = command;
  if (words !== undefined && !(typeof words === 'string' && commandName.test(words)))
    check.error(`${path}.words`, `Must match ${String(commandName)}`);
  const args = check.list(command['args'], `${path}.args`);
  args.forEach((arg, i) => checkArg(check, arg, `${path}.args[${i}]`, args, i));
  const flags = check.list(command['flags'], `${path}.flags`);
  flags.forEach((flag, i) => checkFlag(check, flag, `${path}.flags[${i}]`));
  checkDuplicates(check, args, flags, globals, path);
  checkOutput(check, command['output'], `${path}.output`);
  const timeout = command['timeoutMs'];
  if (timeout === undefined) return;
  if (typeof timeout !== 'number') check.error(`${path}.timeoutMs`, 'Must be a number');
  else if (!(timeout >= 1_000 && timeout <= 300_000))
    check.error(`${path}.timeoutMs`, 'Must be between 1000 and 300000');
}

/** What a spec says of a command's output, by itself. Errors: VALIDATION_ERROR. */
export function readOutput(value: unknown): Result<SpecOutput> {
  const check = new Check();
  checkOutput(check, value, 'output');
  const [first] = check.errors;
  return first ? fail('VALIDATION_ERROR', `${first.path}: ${first.message}`) : ok(value as SpecOutput); // just checked
}

function checkOutput(check: Check, value: unknown, path: string): void {
  const output = check.object(value, path, value === undefined ? 'Required field missing' : 'Must be an object');
  if (!output) return;
  if (!formats.includes(output['format'])) check.error(`${path}.format`, `Must be one of: ${formats.join(', ')}`);
  check.optionalText(output['jsonPath'], `${path}.jsonPath`);
  check.optionalText(output['successPattern'], `${path}.successPattern`);
}

function checkArg(check: Check, value: unknown, path: string, all: readonly unknown[], index: number): void {
  const arg = check.object(value, path);
  if (!arg) return;
  check.text(arg['name'], `${path}.name`);
  checkCommon(check, arg, path);
  const earlier = all.slice(0, index).some((other) => fieldOf(other, 'required') === false);
  if (arg['required'] === true && earlier)
    check.warn(`${path}.required`, 'A required argument may not follow an optional one');
  if (arg['repeated'] === true && index < all.length - 1)
    check.warn(`${path}.repeated`, 'Only the last argument may be repeated');
}

function checkFlag(check: Check, value: unknown, path: string): void {
  const flag = check.object(value, path);
  if (!flag) return;
  const { name, short } = flag;
  if (typeof name !== 'string' || !flagName.test(name)) check.error(`${path}.name`, `Must match ${String(flagName)}`);
  if (short !== undefined && !(typeof short === 'string' && /^[a-z]$/.test(short)))
    check.error(`${path}.short`, 'Must be a single lowercase letter');
  checkCommon(check, flag, path);
  if (flag['default'] !== undefined && !fits(flag['default'], flag['type']))
    check.warn(`${path}.default`, 'Must fit the type');
  if (flag['enum'] === undefined) return;
  if (!Array.isArray(flag['enum']) || flag['enum'].length === 0)
    check.warn(`${path}.enum`, 'Must be an array with at least 1 element');
  else if (!flag['enum'].every((entry) => fits(entry, flag['type']))) check.warn(`${path}.enum`, 'Must fit the type');
}

function checkCommon(check: Check, value: Fields, path: string): void {
  check.text(value['description'], `${path}.description`, 500);
  if (typeof value['required'] !== 'boolean') check.error(`${path}.required`, 'Must be a boolean');
  if (!valueTypes.includes(value['type'])) check.error(`${path}.type`, `Must be one of: ${valueTypes.join(', ')}`);
}

/** Two inputs of one name cannot both be given; a command's own flag hides the global one. */
function checkDuplicates(
  check: Check,
  args: readonly unknown[],
  flags: readonly unknown[],
  globals: ReadonlySet<unknown>,
  path: string,
): void {
  const taken = new Set(globals);
  for (const [kind, list] of [
    ['args', args],
    ['flags', flags],
  ] as const)
    list.forEach((entry, i) => {
      const name = fieldOf(entry, 'name');
      if (taken.has(name)) check.warn(`${path}.${kind}[${i}].name`, 'The name is used twice in this command');
      taken.add(name);
    });
}

function namesOf(list: readonly unknown[]): ReadonlySet<unknown> {
  return new Set(list.map((entry) => fieldOf(entry, 'name')));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Fields)[name] : undefined; // just checked
}

function fits(value: unknown, type: unknown): boolean {
  return type === 'number' || type === 'boolean' ? typeof value === type : typeof value === 'string';
}
