import type { MarkedToken, Token } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { openOverlay } from '../../view/overlay.ts';
import { openFile } from '../../view/show.ts';
import { useWords } from '../../words/words.tsx';

/** A link of a model asks before it opens (S2); what is no web address is plain text. */
function Link({ href, children }: { readonly href: string; readonly children?: ReactNode }) {
  if (!/^(https?|mailto):/i.test(href)) return <span>{children}</span>;
  return (
    <a
      href={href}
      title={href}
      rel="noreferrer"
      onClick={(event) => {
        event.preventDefault();
        openOverlay({ kind: 'link', url: href });
      }}
      onAuxClick={(event) => event.preventDefault()}
    >
      {children}
    </a>
  );
}

/** Pictures of a model are never fetched: the address could carry words out. */
function Picture({ src, alt }: { readonly src: string; readonly alt: string }) {
  const { talk } = useWords();
  return <Link href={src}>{alt || talk.imageLink}</Link>;
}

const fileAndLine = /^((?:[\w@.-]+\/)*[\w@.-]+\.\w{1,8}):(\d{1,7})(?::(\d{1,5}))?$/;

/** A place in a file as models write it (`src/a.ts:12`); nothing where it is none. */
export function filePlaceOf(
  text: string,
): { readonly path: string; readonly line: number; readonly column: number } | null {
  const [, path, line, column = '1'] = fileAndLine.exec(text) ?? [];
  return path === undefined ? null : { path, line: Number(line), column: Number(column) };
}

/** Code in a sentence; a place in a file opens it there. */
function InlineCode({ text }: { readonly text: string }) {
  const place = filePlaceOf(text);
  if (place === null) return <code dir="ltr">{text}</code>;
  return (
    <button
      type="button"
      className="text-accent underline underline-offset-2"
      onClick={() => openFile(place.path, place)}
    >
      <code dir="ltr">{text}</code>
    </button>
  );
}

/** The few that models write; others stand as they are written. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rarr: '→',
  larr: '←',
  times: '×',
};

function withoutEntities(text: string): string {
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|\w{2,8});/gi, (whole) => {
    const name = whole.slice(1, -1);
    if (!name.startsWith('#')) return entities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}

export const inlineNodes = (tokens: readonly Token[]): ReactNode =>
  tokens.map((token, index) => <Fragment key={index}>{inlineNode(token as MarkedToken)}</Fragment>);

function inlineNode(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlineNodes(token.tokens)}</strong>;
    case 'em':
      return <em>{inlineNodes(token.tokens)}</em>;
    case 'del':
      return <del>{inlineNodes(token.tokens)}</del>;
    case 'codespan':
      return <InlineCode text={token.text} />;
    case 'br':
      return <br />;
    case 'link':
      return <Link href={withoutEntities(token.href)}>{inlineNodes(token.tokens)}</Link>;
    case 'image':
      return <Picture src={withoutEntities(token.href)} alt={withoutEntities(token.text)} />;
    case 'checkbox':
      return <input type="checkbox" className="mr-1.5" checked={token.checked} readOnly disabled />;
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? inlineNodes(token.tokens) : withoutEntities(token.text);
    default:
      // HTML of a model is words like any other.
      return token.raw;
  }
}
