import { lexer, type Token } from 'marked';

/** Where a text is only shown to a reader: what stands there is no call. */
export interface ShownText {
  /** Whether `index` lies in shown text, where the prose begins at `from` (behind the last call). */
  isShown(from: number, index: number): boolean;
}

type Range = readonly [start: number, end: number];

/** How far behind a mark is looked for the end of a code span at first. */
const lookAhead = 2_000;

/** Tags whose content is an example, folded away, or an imitated result. */
const container = /<(?:(pre|details|tool_result|tool_response|blockquote|script|style)\b[^>]*>|!--)/gi;
/** Of what stands before it. */
const beginsLine = /(?:^|\n)[ \t]*$/;

/** HTML that only shows: from its tag to its end; one that begins a line and is never closed reaches to the end of the text. */
function containersIn(text: string): readonly Range[] {
  const ranges: Range[] = [];
  container.lastIndex = 0;
  for (let open = container.exec(text); open; open = container.exec(text)) {
    const [all, tag] = open;
    const close = text.indexOf(tag === undefined ? '-->' : `</${tag.toLowerCase()}`, open.index + all.length);
    const isBlock = beginsLine.test(text.slice(Math.max(0, open.index - 100), open.index));
    const end = close >= 0 ? close : isBlock ? text.length : open.index;
    ranges.push([open.index, end]);
    container.lastIndex = Math.max(end, container.lastIndex);
  }
  return ranges;
}

/** Code of any form and quotes, by a Markdown parser; its tokens stand in the order of the text. */
function markdownIn(tokens: readonly Token[], text: string, start: number, into: Range[]): void {
  let at = start;
  for (const token of tokens) {
    const found = text.indexOf(token.raw, at);
    const place = found < 0 ? at : found;
    const end = Math.min(place + token.raw.length, text.length);
    const { items = [], tokens: inside = [] } = token as { readonly [part in 'items' | 'tokens']?: readonly Token[] };
    if (token.type === 'code' || token.type === 'codespan' || token.type === 'blockquote') into.push([place, end]);
    else markdownIn([...items, ...inside], text, place, into);
    at = end;
  }
}

function rangesOf(text: string): readonly Range[] {
  // The parser makes one character of CRLF: a blank of the same length keeps the places.
  const plain = text.replaceAll('\r', ' ');
  const ranges: Range[] = [...containersIn(plain.toLowerCase())];
  markdownIn(lexer(plain), plain, 0, ranges);
  return ranges;
}

/**
 * A reply as Markdown: calls in code (fenced, indented, inline), quotes, comments and folded or preformatted HTML are examples,
 * as a person would read them. Parsed when it is asked for the first time, and no further than needed.
 */
export function createShownText(text: string): ShownText {
  let start = -1;
  let until = -1;
  let ranges: readonly Range[] = [];
  return {
    isShown(from, index) {
      if (from !== start || index >= until) {
        const before = from === start ? until - from : 0;
        until = Math.min(text.length, Math.max(index + lookAhead, from + 2 * before));
        start = from;
        ranges = rangesOf(text.slice(from, until));
        // What ends the text is inside.
        if (until === text.length) until += 1;
      }
      return ranges.some(([begin, end]) => begin <= index - from && index - from < end);
    },
  };
}
