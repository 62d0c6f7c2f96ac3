import { createHash } from 'node:crypto';
import type { LoadedSpec } from './loadSpecs.ts';
import type { SpecCommand } from './specTypes.ts';

export interface NamedCommand {
  readonly name: string;
  readonly loaded: LoadedSpec;
  readonly command: SpecCommand;
}

const maxName = 64;

/** `<spec>_<command>` in the characters that models and MCP clients allow. */
export function toolName(spec: string, command: string): string {
  return shorten(`${spec}_${command}`.replaceAll(' ', '_').replaceAll(/[^A-Za-z0-9_-]/g, '-'));
}

function shorten(name: string): string {
  if (name.length <= maxName) return name;
  return `${name.slice(0, 55)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

const strength = { project: 0, user: 1, bundled: 2 } as const;

/**
 * A name for each command of each spec. A tool that is built in keeps its name, and the bridged one is called `cli_…`; of
 * two bridged ones the stronger source keeps it and the other is left out. Each case is a warning.
 */
export function nameCommands(
  specs: readonly LoadedSpec[],
  builtIn: ReadonlySet<string>,
): { readonly commands: readonly NamedCommand[]; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const taken = new Map<string, string>();
  const commands: NamedCommand[] = [];
  for (const loaded of specs.toSorted((a, b) => strength[a.source] - strength[b.source])) {
    for (const command of loaded.spec.commands) {
      const plain = toolName(loaded.spec.name, command.name);
      const name = builtIn.has(plain) ? shorten(`cli_${plain}`) : plain;
      if (name !== plain)
        warnings.push(`${plain} is built in; the one of the spec ${loaded.spec.name} is called ${name}`);
      const owner = taken.get(name);
      if (owner !== undefined || builtIn.has(name)) {
        warnings.push(
          `${name} of the spec ${loaded.spec.name} is left out: the name is taken by ${owner ?? 'a built-in tool'}`,
        );
        continue;
      }
      taken.set(name, `the spec ${loaded.spec.name}`);
      commands.push({ name, loaded, command });
    }
  }
  return { commands: commands.toSorted((a, b) => (a.name < b.name ? -1 : 1)), warnings };
}
