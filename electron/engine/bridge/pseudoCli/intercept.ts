/** Both names are understood everywhere; the list is the setting `pseudoCli.prefixes`. */
export const defaultPrefixes: readonly string[] = ['codebolt', 'codeboltcmd'];

/**
 * Whether a command line is for the pseudo CLI and so never for a shell: its first word, up to white space, is one of
 * the prefixes as it stands (no path, no quotes, no assignment in front, same case).
 */
export function isPseudo(command: string, prefixes: readonly string[] = defaultPrefixes): boolean {
  // No copy of the whole text: the longest prefix decides.
  const start = command.search(/\S/);
  if (start < 0) return false;
  return prefixes.some((prefix) => {
    if (prefix === '' || !command.startsWith(prefix, start)) return false;
    const next = command[start + prefix.length];
    return next === undefined || /\s/.test(next);
  });
}
