/** Where what a term means begins, at the latest; a longer term has a line of its own. */
const widestTerm = 26;

/**
 * Terms and, beside them, what they mean, within so many columns: what does not fit goes on below its beginning. For plain words,
 * where a character takes a column.
 */
export function termList(rows: readonly (readonly [term: string, about: string])[], columns: number): string {
  const widths = rows.map(([term]) => term.length).filter((width) => width <= widestTerm);
  const indent = Math.max(0, ...widths) + 4;
  return rows.map(([term, about]) => termLines(term, about, indent, columns)).join('');
}

function termLines(term: string, about: string, indent: number, columns: number): string {
  const head = `  ${term}`;
  const [first = '', ...more] = wrapWords(about, Math.max(20, columns - indent)).map(
    (line) => ' '.repeat(indent) + line,
  );
  const isApart = head.length + 2 > indent;
  const lines = isApart ? [head, first, ...more] : [head + first.slice(head.length), ...more];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Words in lines of at most so many characters; a longer word has its own line, as it is. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
