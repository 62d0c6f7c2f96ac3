import type { MarkedToken, Token, Tokens } from 'marked';
import { memo, type ReactNode, useRef } from 'react';
import { useLongText } from '../longText.tsx';
import { noBlocks, splitBlocks } from './blocks.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { inlineNodes } from './inline.tsx';

/** Quotes and lists within each other; what lies deeper is shown as it is written. */
const deepest = 40;

const blockNodes = (tokens: readonly Token[], depth: number): ReactNode =>
  tokens.map((token, index) => <BlockNode key={index} token={token as MarkedToken} depth={depth} />);

function ListNode({ list, depth }: { readonly list: Tokens.List; readonly depth: number }) {
  const items = list.items.map((item, index) => (
    <li key={index} className={item.task ? 'list-none' : undefined}>
      {blockNodes(item.tokens, depth + 1)}
    </li>
  ));
  return list.ordered ? <ol start={list.start === '' ? undefined : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function TableNode({ table }: { readonly table: Tokens.Table }) {
  const row = (cells: readonly Tokens.TableCell[], Cell: 'th' | 'td'): ReactNode =>
    cells.map(({ align, tokens }, index) => (
      <Cell key={index} style={align ? { textAlign: align } : undefined}>
        {inlineNodes(tokens)}
      </Cell>
    ));
  return (
    <table>
      <thead>
        <tr>{row(table.header, 'th')}</tr>
      </thead>
      <tbody>
        {table.rows.map((cells, index) => (
          <tr key={index}>{row(cells, 'td')}</tr>
        ))}
      </tbody>
    </table>
  );
}

function BlockNode({ token, depth }: { readonly token: MarkedToken; readonly depth: number }): ReactNode {
  if (depth > deepest) return token.raw;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      // as written: one to six
      const Heading = `h${token.depth}` as 'h1';
      return <Heading>{inlineNodes(token.tokens)}</Heading>;
    }
    case 'code':
      return <CodeBlock text={token.text} language={languageOf(token.lang)} />;
    case 'blockquote':
      return <blockquote>{blockNodes(token.tokens, depth + 1)}</blockquote>;
    case 'list':
      return <ListNode list={token} depth={depth} />;
    case 'table':
      return <TableNode table={token} />;
    case 'hr':
      return <hr />;
    case 'paragraph':
      return <p>{inlineNodes(token.tokens)}</p>;
    default:
      return inlineNodes([token]);
  }
}

const languageOf = (info = ''): string => /^[\w+#-]+/.exec(info)?.[0].toLowerCase() ?? '';

const Block = memo(function Block({ token }: { readonly token: MarkedToken }) {
  return (
    <div className="block" dir="auto">
      <BlockNode token={token} depth={0} />
    </div>
  );
});

/** Markdown in memoised blocks: while a reply streams, only its last blocks are parsed and drawn again. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const before = useRef(noBlocks);
  const { shown, more } = useLongText(text);
  before.current = splitBlocks(shown, before.current);
  return (
    <div className="prose">
      {before.current.blocks.map(
        (token, index) => token.type !== 'space' && token.type !== 'def' && <Block key={index} token={token} />,
      )}
      {more}
    </div>
  );
});
