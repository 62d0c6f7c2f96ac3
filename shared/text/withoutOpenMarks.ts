/** What begins a comment, a section, an instruction or a declaration of HTML, with what ends it. */
const forms: readonly (readonly [begin: RegExp, end: string])[] = [
  [/<!--/g, '-->'],
  [/<!\[CDATA\[/gi, ']]>'],
  [/<\?/g, '?>'],
  [/<![a-z]/gi, '>'],
];

/** So many marks that nothing ends stand in no text that a person would write. */
const fewMarks = 200;

/**
 * A text for the Markdown parser, which looks for the end of each such mark to the end of the text: thousands of them in one
 * paragraph would hold it up for a minute. Where there are that many that nothing ends, `‹` stands for their `<`, at the same places.
 */
export function withoutOpenMarks(text: string): string {
  let made = text;
  for (const [begin, end] of forms) {
    const last = made.lastIndexOf(end);
    const isOpen = (at: number): boolean => at > last;
    const open = [...made.matchAll(begin)].filter(({ index }) => isOpen(index)).length;
    if (open > fewMarks) made = made.replace(begin, (mark, at: number) => (isOpen(at) ? `‹${mark.slice(1)}` : mark));
  }
  return made;
}
