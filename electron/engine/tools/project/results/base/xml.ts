const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** The text of an element: CDATA as it is, entities resolved. */
export function xmlText(text: string): string {
  return text
    .split(/(<!\[CDATA\[[\s\S]*?\]\]>)/)
    .map((part) => (part.startsWith('<![CDATA[') ? part.slice(9, -3) : resolved(part)))
    .join('');
}

function resolved(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|quot|apos|amp));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[String(name).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

export function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found ? resolved(found[1] ?? found[2] ?? '') : undefined;
}

export interface Element {
  /** What stands between the name and the end of the tag. */
  readonly tag: string;
  readonly body: string;
}

/** The elements of one name, which hold none of their own name; `cut` where the end of the last is missing. */
export function elementsOf(
  text: string,
  name: string,
): { readonly elements: readonly Element[]; readonly cut: boolean } {
  const elements: Element[] = [];
  const [, ...parts] = text.split(new RegExp(`<${name}(?=[\\s/>])`));
  for (const part of parts) {
    const end = tagEnd(part);
    if (end === -1) return { elements, cut: true };
    const tag = part.slice(0, end);
    if (tag.endsWith('/')) {
      elements.push({ tag, body: '' });
      continue;
    }
    const close = part.indexOf(`</${name}>`, end);
    if (close === -1) return { elements, cut: true };
    elements.push({ tag, body: part.slice(end + 1, close) });
  }
  return { elements, cut: false };
}

/** The end of a tag; a `>` within quotes is none. */
function tagEnd(text: string): number {
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return at;
  }
  return -1;
}
