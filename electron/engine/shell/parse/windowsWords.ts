/**
 * Words by the rules of the Microsoft C runtime: 2n backslashes before a quote are n backslashes, an odd one makes the
 * quote literal, `""` inside quotes is one quote; the first word knows no backslash rule.
 */
export function splitWindowsWords(line: string): readonly string[] {
  const words: string[] = [];
  let i = 0;
  const skipBlanks = (): void => {
    while (line[i] === ' ' || line[i] === '\t') i += 1;
  };
  skipBlanks();
  if (i < line.length) {
    let program = '';
    let quoted = false;
    for (; i < line.length; i += 1) {
      const c = line.charAt(i);
      if (c === '"') quoted = !quoted;
      else if (!quoted && (c === ' ' || c === '\t')) break;
      else program += c;
    }
    words.push(program);
  }
  for (skipBlanks(); i < line.length; skipBlanks()) {
    let word = '';
    let quoted = false;
    while (i < line.length) {
      const c = line.charAt(i);
      if (!quoted && (c === ' ' || c === '\t')) break;
      if (c === '\\') {
        let slashes = 0;
        while (line[i] === '\\') {
          slashes += 1;
          i += 1;
        }
        if (line[i] === '"') {
          word += '\\'.repeat(slashes >> 1);
          if (slashes % 2 === 1) {
            word += '"';
            i += 1;
          }
        } else {
          word += '\\'.repeat(slashes);
        }
      } else if (c === '"') {
        if (quoted && line[i + 1] === '"') {
          word += '"';
          i += 2;
        } else {
          quoted = !quoted;
          i += 1;
        }
      } else {
        word += c;
        i += 1;
      }
    }
    words.push(word);
  }
  return words;
}

/** One word as the Microsoft C runtime reads it back. */
export function quoteWindowsWord(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word;
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}

/**
 * A batch file is always run by cmd.exe, which reads the line before the program does: every active character is escaped
 * with `^`, twice, because the batch file's own `%*` is read once more (CVE-2024-27980 and its kin).
 */
export function batchCommandLine(argv: readonly string[]): string {
  const escape = (text: string): string => text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
  return argv
    .map((word, index) => (index === 0 ? escape(quoteWindowsWord(word)) : escape(escape(quoteWindowsWord(word)))))
    .join(' ');
}
