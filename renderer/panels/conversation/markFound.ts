/** Marked at once: what is on screen has fewer. */
const mostMarks = 500;

/** The optimiser of the build's styles does not know this pseudo-element, so the page adds the rule itself. */
const markStyle = '::highlight(found) { background: var(--warn-edge); color: var(--text); }';
let isStyled = false;

function addMarkStyle(): void {
  if (isStyled) return;
  isStyled = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(markStyle);
  document.adoptedStyleSheets.push(sheet);
}

/**
 * Marks a text in what is drawn, without touching the page's elements; where a browser cannot, only the row is marked. Gives the
 * first place in the row that is shown.
 */
export function markFound(
  place: HTMLElement | null,
  sought: { readonly text: string; readonly caseSensitive: boolean } | null,
): Range | undefined {
  const canMark = 'highlights' in CSS;
  if (canMark) CSS.highlights.delete('found');
  if (!place || sought === null || sought.text === '') return undefined;
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
  if (canMark && marks.length > 0) {
    addMarkStyle();
    CSS.highlights.set('found', new Highlight(...marks));
  }
  return marks.find(({ startContainer }) => startContainer.parentElement?.closest('[data-found]'));
}

/** Scrolls so that it can be seen, a row taller than the window by its beginning. True: it already could. */
export function bringIntoSight(place: HTMLElement, found: Pick<Range, 'getBoundingClientRect'>): boolean {
  const { top, bottom } = found.getBoundingClientRect();
  const sight = place.getBoundingClientRect();
  if (top >= sight.top && Math.min(bottom, top + sight.height / 2) <= sight.bottom) return true;
  place.scrollTop += top - sight.top - sight.height / 3;
  return false;
}
