import { lexer, type Token } from 'marked';
import { withoutOpenMarks } from '../../../../shared/text/withoutOpenMarks.ts';

/** Where a text is only shown to a reader: what stands there is no call. */
export interface ShownText {
  /** Whether `index` lies in shown text, where the prose begins at `from` (behind the last call). */
  isShown(from: number, index: number): boolean;
}

type Range = readonly [start: number, end: number];

/** How far behind a mark is looked for the end of a code span at first. */
const lookAhead = 2_000;

/** Tags whose content is an example, folded away, a field's text, what others said, or an imitated result; and other forms that only stand there. */
const mark =
  /<(\/?)(pre|code|samp|kbd|xmp|details|textarea|template|tool_results?|tool_response|function_results?|blockquote|script|style|output|stdout|stderr|documents?|files?|examples?|user|human|svg|math|noscript|iframe|q|del)\b[^>]{0,1000}>|<!--|<!\[CDATA\[|<\?/gi;
const ends: Readonly<Record<string, string>> = { '<!--': '-->', '<![cdata[': ']]>', '<?': '?>' };
/** Of what stands before it. */
const beginsLine = /(?:^|\n)[ \t]*$/;

/**
 * HTML that only shows: from its tag to its end, with others of its name inside; one that is not closed reaches to the last end of its
 * name, or, where it begins a line, to the end of the text.
 */
function containersIn(text: string): readonly Range[] {
  const marks = [...text.matchAll(mark)];
  const lastEnd = new Map<string, number>();
  for (const { 1: slash, 2: tag = '', index } of marks) if (slash) lastEnd.set(tag.toLowerCase(), index);
  // What does not end behind one place ends behind no later one: looked for once.
  const endless = new Set<string>();
  const nextEnd = (end: string, from: number): number => {
    const found = endless.has(end) ? -1 : text.indexOf(end, from);
    if (found < 0) endless.add(end);
    return found;
  };
  const ranges: Range[] = [];
  let until = 0;
  for (const [at, { 0: all, 1: slash, 2: tag, index }] of marks.entries()) {
    if (slash || index < until) continue;
    const close = tag === undefined ? nextEnd(ends[all.toLowerCase()] ?? '', index) : endOf(marks, at, lastEnd);
    const isBlock = beginsLine.test(text.slice(Math.max(0, index - 100), index));
    until = close >= 0 ? close : isBlock ? text.length : index;
    ranges.push([index, until]);
  }
  return ranges;
}

/** Where the tag that is opened by this mark ends; -1 when nothing of its name ends behind it. */
function endOf(marks: readonly RegExpExecArray[], at: number, lastEnd: ReadonlyMap<string, number>): number {
  const opened = marks[at];
  const name = opened?.[2]?.toLowerCase() ?? '';
  const last = lastEnd.get(name) ?? -1;
  if (opened === undefined || last < opened.index) return -1;
  let depth = 0;
  for (let next = at; next < marks.length; next += 1) {
    const one = marks[next];
    if (one?.[2]?.toLowerCase() !== name) continue;
    depth += one[1] ? -1 : 1;
    if (depth === 0) return one.index;
  }
  return last;
}

const shownTypes: ReadonlySet<string> = new Set([
  ...['code', 'codespan', 'blockquote', 'link', 'image', 'del', 'def', 'escape'],
]);

/** Code of any form, quotes, links, what is struck out or escaped, by a Markdown parser; its tokens stand in the order of the text. */
function markdownIn(tokens: readonly Token[], text: string, start: number, into: Range[]): void {
  let at = start;
  for (const token of tokens) {
    const found = text.indexOf(token.raw, at);
    const place = found < 0 ? at : found;
    const end = Math.min(place + token.raw.length, text.length);
    const { items = [], tokens: inside = [] } = token as { readonly [part in 'items' | 'tokens']?: readonly Token[] };
    if (shownTypes.has(token.type)) into.push([place, end]);
    else markdownIn([...items, ...inside], text, place, into);
    at = end;
  }
}

function rangesOf(text: string): readonly Range[] {
  // The parser makes one character of CRLF: a blank of the same length keeps the places.
  const plain = text.replaceAll('\r', ' ');
  const ranges: Range[] = [...containersIn(plain)];
  const parsed = withoutOpenMarks(plain);
  markdownIn(lexer(parsed), parsed, 0, ranges);
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
