/** Marked at once: what is on screen has fewer. */
const mostMarks = 500;

/** Marks a text in what is drawn, without touching the page's elements. Where a browser cannot, only the row is marked. */
export function markFound(
  place: HTMLElement | null,
  sought: { readonly text: string; readonly caseSensitive: boolean } | null,
): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.delete('found');
  if (!place || sought === null || sought.text === '') return;
  const fold = (text: string): string => (sought.caseSensitive ? text : text.toLowerCase());
  const wanted = fold(sought.text);
  const marks: Range[] = [];
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && marks.length < mostMarks; node = texts.nextNode()) {
    const text = node.textContent ?? '';
    const folded = fold(text);
    if (folded.length !== text.length) continue;
    for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      marks.push(range);
    }
  }
  if (marks.length > 0) CSS.highlights.set('found', new Highlight(...marks));
}
