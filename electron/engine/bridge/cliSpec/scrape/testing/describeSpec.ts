import type { CliSpec, SpecArg, SpecFlag } from '../../specTypes.ts';

/** A flag as a help would show it: `--tag=string... (default) [a|b] !`; `~` where it can be turned off by `--no-`. */
export function flagText(flag: SpecFlag): string {
  const { name, type, separator, valueOptional, repeated, negatable, values, default: fallback, required } = flag;
  const value = type === 'boolean' ? '' : `${separator === 'equals' ? '=' : ' '}${type}${valueOptional ? '?' : ''}`;
  const more = [repeated ? '...' : '', negatable ? '~' : '', values === undefined ? '' : `x${values}`].join('');
  const told = [flag.enum?.join('|'), fallback === undefined ? undefined : `(${JSON.stringify(fallback)})`];
  return [`--${name}${value}${more}`, ...told.filter((part) => part !== undefined), ...(required ? ['!'] : [])].join(
    ' ',
  );
}

function argText({ name, required, repeated, afterDashes }: SpecArg): string {
  return `${afterDashes ? '-- ' : ''}${required ? `<${name}>` : `[${name}]`}${repeated ? '...' : ''}`;
}

/** A spec in lines: its global flags, then each command with what it takes. */
export function describeSpec({ globalFlags = [], globalFlagsFirst, commands }: CliSpec): readonly string[] {
  const globals = globalFlags.map(flagText).join(', ');
  return [
    ...(globals === '' ? [] : [`${globalFlagsFirst ? 'before' : 'anywhere'}: ${globals}`]),
    ...commands.map(({ name, args = [], flags = [] }) =>
      [name, ...args.map(argText), flags.length === 0 ? '' : `{ ${flags.map(flagText).join(', ')} }`].join(' ').trim(),
    ),
  ];
}
