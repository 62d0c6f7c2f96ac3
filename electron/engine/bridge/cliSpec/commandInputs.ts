import type { CliSpec, SpecArg, SpecCommand, SpecFlag } from './specTypes.ts';

export interface CommandInputs {
  /** Without global flags that an argument or a flag of the command hides. */
  readonly globals: readonly SpecFlag[];
  readonly flags: readonly SpecFlag[];
  readonly args: readonly SpecArg[];
}

/** What a command takes: a name that is used twice means its nearest use. */
export function commandInputs(spec: CliSpec, command: SpecCommand): CommandInputs {
  const args = command.args ?? [];
  const taken = new Set(args.map(({ name }) => name));
  const flags = (command.flags ?? []).filter(({ name }) => !taken.has(name));
  for (const { name } of flags) taken.add(name);
  const globals = (spec.globalFlags ?? []).filter(({ name }) => !taken.has(name));
  return { globals, flags, args };
}
