export interface Frontmatter {
  /** Values of the head as text, by their key. */
  readonly fields: ReadonlyMap<string, string>;
  /** What stands behind the head. */
  readonly body: string;
}

/**
 * Reads a Markdown file with a head between `---` lines, as skills and commands have it: `key: value`, quoted values, and
 * texts over several indented lines (`|`, `>`, or simply continued). Other YAML (lists, maps) is passed over. A file
 * without a head is all body.
 */
export function readFrontmatter(text: string): Frontmatter {
  const clean = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const [whole, head] = /^---[ \t]*\n(?:([^]*?)\n)??---[ \t]*(?:\n|$)/.exec(clean) ?? [];
  if (whole === undefined) return { fields: new Map(), body: clean.trim() };
  const fields = new Map<string, string>();
  let last: { readonly key: string; readonly joiner: string } | undefined;
  for (const line of (head ?? '').split('\n')) {
    const [, key, value = ''] = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/.exec(line) ?? [];
    if (key !== undefined) {
      const [, block] = /^([|>])[+-]?[ \t]*$/.exec(value) ?? [];
      last = { key, joiner: block === '|' ? '\n' : ' ' };
      fields.set(key, block === undefined ? plainValue(value) : '');
    } else if (last && /^[ \t]+[^-\s]/.test(line)) {
      const before = fields.get(last.key) ?? '';
      fields.set(last.key, before === '' ? line.trim() : `${before}${last.joiner}${line.trim()}`);
    }
  }
  return { fields, body: clean.slice(whole.length).trim() };
}

function plainValue(value: string): string {
  const text = value.trim();
  const [, double, single] = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')/.exec(text) ?? [];
  if (double !== undefined) return double.replaceAll(/\\(["\\])/g, '$1');
  if (single !== undefined) return single.replaceAll("''", "'");
  return text.replace(/[ \t]+#.*$/, '');
}
