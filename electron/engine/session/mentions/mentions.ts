/** What a mention points at. Only the forms with a word and a colon are sure to be meant as one. */
export type Mention =
  | { readonly kind: 'path'; readonly path: string; readonly line?: number; readonly endLine?: number }
  /** `symbol:NAME`, `symbol:Class.member`, `symbol:FILE#NAME`, `symbol:FILE#NAME:LINE`. */
  | { readonly kind: 'symbol'; readonly name: string; readonly path?: string; readonly line?: number }
  /** `task:ID`, `task:last`. */
  | { readonly kind: 'task'; readonly id: string }
  /** `change:ID`, `change:last`, `change:all`. */
  | { readonly kind: 'change'; readonly id: string };

/**
 * What a message mentions as `@path`, `@symbol:…`, `@task:…` or `@change:…`, in order, each once, without the `@`. A blank
 * is written `@"a b.txt"`. An `@` inside a word (an e-mail address, a scoped package) mentions nothing; punctuation at
 * the end is not part of it.
 */
export function mentionsOf(text: string): readonly string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(
    /(?<=^|[\s([{'"`,;:，。；：（【])@(?:"(?<quoted>[^"\n]+)"|(?<plain>[^\s"'`@]+))/g,
  )) {
    const { quoted, plain } = match.groups ?? {};
    const path = quoted ?? (plain ?? '').replace(/[.,;:!?)\]}>。，；：！？（）【】《》「」]+$/, '');
    if (path !== '') found.add(path.replace(/(?<=.)\/$/, ''));
  }
  return [...found];
}

export function readMention(mention: string): Mention {
  const [, kind, rest = ''] = /^(symbol|task|change):(.+)$/s.exec(mention) ?? [];
  if (kind === 'task' || kind === 'change') return { kind, id: rest };
  if (kind !== 'symbol') return readPath(mention);
  const [, path, name = '', line] = /^(?:(.+)#)?(.+?)(?::(\d{1,7}))?$/s.exec(rest) ?? [];
  return {
    kind,
    name,
    path,
    line: line === undefined ? undefined : Number(line),
  };
}

/** `a.ts:12`, `a.ts:12:3` (the column is not needed), `a.ts:12-20`, `a.ts#L12`, `a.ts#L12-L20`. */
function readPath(path: string): Mention {
  const [, file = path, line, endLine] = /^(.+?)(?::|#L)(\d{1,7})(?:-L?(\d{1,7})|:\d{1,7})?$/s.exec(path) ?? [];
  if (Number(line ?? 0) < 1) return { kind: 'path', path };
  const end = endLine === undefined ? undefined : Math.max(Number(endLine), Number(line));
  return { kind: 'path', path: file, line: Number(line), endLine: end };
}

/** A mention as it is typed: in quotes where it holds a blank. */
export function mentionText(mention: string): string {
  return /\s/.test(mention) ? `@"${mention}"` : `@${mention}`;
}
