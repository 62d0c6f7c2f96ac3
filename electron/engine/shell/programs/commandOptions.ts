/** How a program takes a command as the value of an option. */
export interface CommandOptions {
  /** Long names, also abbreviated. */
  readonly long?: string;
  /** Letters; the value is glued or the next word. */
  readonly short?: string;
  /** Where the command stands in the value; the whole value without it. Values that do not fit name no command. */
  readonly within?: RegExp;
}

export interface OptionCommand {
  readonly script: string;
  /** The word in which it ends. */
  readonly at: number;
}

/** The commands that stand in options of a program. */
export function optionCommands(options: readonly CommandOptions[], argv: readonly string[]): readonly OptionCommand[] {
  const found: OptionCommand[] = [];
  for (const { long = '', short = '', within } of options) {
    const names = long.split(' ').filter((name) => name !== '');
    for (const [index, word] of argv.entries()) {
      const value = index === 0 ? undefined : optionValue(word, argv[index + 1], names, short);
      if (value === undefined) continue;
      const script = within ? within.exec(value.text)?.[1] : value.text;
      if (script !== undefined && script !== '') found.push({ script, at: index + (value.isNext ? 1 : 0) });
    }
  }
  return found;
}

function optionValue(
  word: string,
  next: string | undefined,
  long: readonly string[],
  short: string,
): { readonly text: string; readonly isNext: boolean } | undefined {
  const [, dashes, name = '', glued] = /^(--?)([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (dashes === undefined) return undefined;
  const following = next === undefined ? undefined : { text: next, isNext: true };
  const isLong = long.some(
    (option) => option === name || (dashes === '--' && name.length > 2 && option.startsWith(name)),
  );
  if (isLong) return glued === undefined ? following : { text: glued, isNext: false };
  if (dashes === '--') return undefined;
  const at = [...word].findIndex((letter, index) => index > 0 && short.includes(letter));
  // Only behind other letters it is an option: `-xvI zstd`.
  if (at < 1 || !/^[A-Za-z]*$/.test(word.slice(1, at))) return undefined;
  return at === word.length - 1 ? following : { text: word.slice(at + 1), isNext: false };
}
