import { lexer, type Token, type Tokens } from 'marked';
import { withoutOpenMarks } from '../../../shared/text/withoutOpenMarks.ts';
import { diffLine } from './diffLines.ts';
import { type Line, lineWidth, type Span, type Style, span, tornLines, widthOf, wrapped } from './spans.ts';

/**
 * Markdown as lines of a terminal of so many columns. Without colours the marks stay (`# Title`, `**word**`), since nothing
 * else would tell them. The text must have passed `forTerminal`.
 */
export function markdownLines(text: string, columns: number, colours: boolean): readonly Line[] {
  const tokens = lexer(withoutOpenMarks(text.replaceAll('\t', '    ')));
  return blocks(tokens, { columns, colours });
}

interface Page {
  readonly columns: number;
  readonly colours: boolean;
}

/** Blocks one below the other, an empty line between them. */
function blocks(tokens: readonly Token[], page: Page): readonly Line[] {
  const lines: Line[] = [];
  for (const token of tokens) {
    const shown = block(token, page);
    if (shown.length === 0) continue;
    if (lines.length > 0) lines.push([]);
    lines.push(...shown);
  }
  return lines;
}

function block(token: Token, page: Page): readonly Line[] {
  const { columns, colours } = page;
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      const styles: readonly Style[] = depth === 1 ? ['bold', 'underline'] : ['bold'];
      return lined(inline(tokens, colours, styles), columns, colours ? [] : [span(`${'#'.repeat(depth)} `)], []);
    }
    case 'code':
      return codeLines(token as Tokens.Code, columns);
    case 'blockquote': {
      const bar = span('│ ', 'dim');
      const inner = blocks((token as Tokens.Blockquote).tokens, { ...page, columns: narrower(columns, 2) });
      return inner.map((line) => [bar, ...line]);
    }
    case 'list':
      return listLines(token as Tokens.List, page);
    case 'table':
      return tableLines(token as Tokens.Table, page);
    case 'hr':
      return [[span('─'.repeat(Math.min(columns, 40)), 'dim')]];
    case 'html':
      return token.raw
        .trimEnd()
        .split('\n')
        .flatMap((line: string) => wrapped([span(line)], columns));
    default: {
      const { tokens } = token as { readonly tokens?: readonly Token[] };
      return lined(tokens ? inline(tokens, colours, []) : [span(token.raw)], columns);
    }
  }
}

const narrower = (columns: number, by: number): number => Math.max(8, columns - by);

/** Spans with line ends in them, each line wrapped. */
function lined(spans: Line, columns: number, first: Line = [], rest: Line = first): readonly Line[] {
  const lines: Span[][] = [[]];
  for (const { text, styles } of spans)
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, styles });
    }
  return lines.flatMap((line, i) => wrapped(line, columns, i === 0 ? first : rest, rest));
}

function codeLines({ text, lang }: Tokens.Code, columns: number): readonly Line[] {
  const isDiff = lang === 'diff' || lang === 'patch';
  return text
    .split('\n')
    .flatMap((line) => tornLines(isDiff ? diffLine(line) : [span(line, 'cyan')], columns, [span('  ')]));
}

function listLines({ items, ordered, start, loose }: Tokens.List, page: Page): readonly Line[] {
  const last = Number(start || 1) + items.length - 1;
  const lines: Line[] = [];
  for (const [i, item] of items.entries()) {
    const mark = ordered ? `${Number(start || 1) + i}. `.padStart(String(last).length + 2) : '• ';
    const box = item.task ? (item.checked ? '☑ ' : '☐ ') : '';
    const indent = widthOf(mark);
    const parts = item.tokens.filter(({ type }) => type !== 'checkbox');
    const inner = parts.flatMap((token, at) => {
      const shown = block(token, { ...page, columns: narrower(page.columns, indent + widthOf(box)) });
      return at > 0 && loose && shown.length > 0 ? [[], ...shown] : shown;
    });
    if (loose && i > 0) lines.push([]);
    const head = span(mark, 'dim');
    const blank = span(' '.repeat(indent));
    const shown = inner.length > 0 ? inner : [[]];
    lines.push(
      ...shown.map((line, at) => [at === 0 ? head : blank, span(at === 0 ? box : ' '.repeat(widthOf(box))), ...line]),
    );
  }
  return lines;
}

/** Cells are wrapped in columns that share the width as their longest lines do. */
function tableLines({ header, rows }: Tokens.Table, { columns, colours }: Page): readonly Line[] {
  const all = [header, ...rows].map((row, at) =>
    row.map(({ tokens }) => inline(tokens, colours, at === 0 ? ['bold'] : [])),
  );
  const wanted = header.map((_, i) => Math.max(1, ...all.map((row) => lineWidth(row[i] ?? []))));
  const widths = sharedWidths(wanted, columns - 3 * (header.length - 1));
  const bar = span(' │ ', 'dim');
  const lines = all.flatMap((row) => {
    const cells = widths.map((width, i) => wrapped(row[i] ?? [], width));
    const height = Math.max(1, ...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, at) =>
      cells.flatMap((cell, i) => {
        const line = cell[at] ?? [];
        const padding = span(' '.repeat(Math.max(0, (widths[i] ?? 0) - lineWidth(line))));
        return i === 0 ? [...line, padding] : [bar, ...line, padding];
      }),
    );
  });
  const first = Math.max(1, ...widths.map((width, i) => wrapped(all[0]?.[i] ?? [], width).length));
  const rule = span(widths.map((width) => '─'.repeat(width)).join('─┼─'), 'dim');
  return [...lines.slice(0, first), [rule], ...lines.slice(first)];
}

/** Narrow columns keep what they want; the wide ones share the rest. */
function sharedWidths(wanted: readonly number[], room: number): readonly number[] {
  const widths = [...wanted];
  let over = widths.reduce((sum, width) => sum + width, 0) - Math.max(room, widths.length * 4);
  while (over > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] ?? 0;
    if (width <= 4) break;
    widths[widest] = width - 1;
    over -= 1;
  }
  return widths;
}

function inline(tokens: readonly Token[], colours: boolean, styles: readonly Style[]): Line {
  return tokens.flatMap((token): Line => {
    const marked = (mark: string, style: Style): Line => {
      const inner = inline((token as Tokens.Strong).tokens, colours, [...styles, style]);
      return colours ? inner : [span(mark), ...inner, span(mark)];
    };
    switch (token.type) {
      case 'strong':
        return marked('**', 'bold');
      case 'em':
        return marked('*', 'italic');
      case 'del':
        return marked('~~', 'strike');
      case 'codespan': {
        const { text } = token as Tokens.Codespan;
        return [colours ? span(text, ...styles, 'cyan') : span(`\`${text}\``)];
      }
      case 'link': {
        const { href, tokens: inner, text } = token as Tokens.Link;
        const label = inline(inner, colours, [...styles, 'underline']);
        return text === href || href === `mailto:${text}` ? label : [...label, span(` (${href})`, 'dim')];
      }
      case 'image': {
        const { href, text } = token as Tokens.Image;
        return [span(`${text || 'image'} (${href})`, ...styles, 'dim')];
      }
      case 'br':
        return [span('\n')];
      case 'checkbox':
        return [];
      default: {
        const { tokens: inner, text, raw } = token as { tokens?: readonly Token[]; text?: string; raw: string };
        return inner ? inline(inner, colours, styles) : [span(token.type === 'html' ? raw : (text ?? raw), ...styles)];
      }
    }
  });
}
