import { editDistance } from '../../../shared/text/editDistance.ts';

/** One flag of a command: what it is called, whether it takes a value, and a line of help. */
export interface Flag {
  readonly name: string;
  readonly value?: string;
  readonly about: string;
  /** The only values allowed. */
  readonly choices?: readonly string[];
}

export interface Parsed {
  readonly flags: Readonly<Record<string, string | true>>;
  readonly words: readonly string[];
}

export type ParsedFlags =
  | { readonly ok: true; readonly value: Parsed }
  | { readonly ok: false; readonly error: string };

/**
 * `--name value`, `--name=value`, `--name`; `--` ends the flags; a lone `-` is a word (standard input). A flag that the
 * command does not know is an error that names the nearest one (`everywhere`: also of those that every command has);
 * given twice, the last one counts.
 */
export function parseFlags(
  argv: readonly string[],
  known: readonly Flag[],
  everywhere: readonly string[] = [],
): ParsedFlags {
  const flags: Record<string, string | true> = {};
  const words: string[] = [];
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] ?? '';
    if (word === '--') {
      words.push(...argv.slice(i + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = (equals < 0 ? word : word.slice(0, equals)).replace(/^-{1,2}/, '');
    const flag = known.find((one) => one.name === name && word.startsWith('--'));
    if (!flag) {
      const names = [...known.map((one) => one.name), ...everywhere];
      return { ok: false, error: unknownFlag(word.slice(0, equals < 0 ? undefined : equals), names) };
    }
    if (flag.value === undefined) {
      if (equals >= 0) return { ok: false, error: `--${name} takes no value.` };
      flags[name] = true;
      continue;
    }
    const next = equals >= 0 ? word.slice(equals + 1) : argv[i + 1];
    if (next === undefined || (equals < 0 && next.startsWith('--')))
      return { ok: false, error: `--${name} needs a value: --${name} ${flag.value}` };
    if (flag.choices && !flag.choices.includes(next)) {
      return { ok: false, error: `--${name} is one of ${flag.choices.join(', ')}; "${next}" is none of them.` };
    }
    flags[name] = next;
    if (equals < 0) i += 1;
  }
  return { ok: true, value: { flags, words } };
}

/** What is said of a flag that nobody knows: with the nearest one, and with all where that one is no likely slip. */
export function unknownFlag(given: string, names: readonly string[]): string {
  const nearest = names
    .map((name) => ({ name, distance: editDistance(given.replace(/^-+/, ''), name) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  const hint =
    nearest && nearest.distance <= Math.max(2, Math.floor(nearest.name.length / 2))
      ? ` Did you mean --${nearest.name}?`
      : nearest
        ? ` The nearest is --${nearest.name}. Known are: ${names.map((name) => `--${name}`).join(', ')}.`
        : '';
  return `There is no flag ${given}.${hint}`;
}

export function textFlag(parsed: Parsed, name: string): string | undefined {
  const value = parsed.flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** The folder that a command is about. */
export function projectOf(parsed: Parsed, { cwd }: { readonly cwd: string }): string {
  return textFlag(parsed, 'project') ?? cwd;
}
