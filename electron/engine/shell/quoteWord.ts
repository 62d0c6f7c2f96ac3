/** A word as a POSIX shell reads it back; plain words stay as they are. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command with its arguments in one line, as a person reads it. Without arguments it is the line that was given. */
export function shownCommand({
  command,
  args = [],
}: {
  readonly command: string;
  readonly args?: readonly string[];
}): string {
  return args.length > 0 ? [command, ...args].map(quoteWord).join(' ') : command;
}
