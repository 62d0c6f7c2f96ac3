import { memo, useRef } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { openOverlay } from '../../view/overlay.ts';
import { useWords } from '../../words/words.tsx';
import { noBlocks, splitBlocks } from './blocks.ts';
import { CodeBlock, InlineCode } from './CodeBlock.tsx';

const plugins = [remarkGfm];

/** A link of a model asks before it opens (S2); what is no web address is plain text. */
function Link({ href, children }: { readonly href?: string | undefined; readonly children?: React.ReactNode }) {
  if (!href || !/^(https?|mailto):/i.test(href)) return <span>{children}</span>;
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
function Picture({ src, alt }: { readonly src?: unknown; readonly alt?: string | undefined }) {
  const { talk } = useWords();
  const address = typeof src === 'string' ? src : undefined;
  return <Link href={address}>{alt || talk.imageLink}</Link>;
}

const components: Components = {
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  code: ({ children }) => <InlineCode>{children}</InlineCode>,
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => <Picture src={src} alt={alt} />,
};

const Block = memo(function Block({ source }: { readonly source: string }) {
  return (
    <div className="block" dir="auto">
      <ReactMarkdown remarkPlugins={plugins} components={components}>
        {source}
      </ReactMarkdown>
    </div>
  );
});

/** Markdown in memoised blocks: while a reply streams, only its last block is parsed again. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const before = useRef(noBlocks);
  before.current = splitBlocks(text, before.current);
  return (
    <div className="prose">
      {before.current.blocks.map((source, index) => (
        <Block key={index} source={source} />
      ))}
    </div>
  );
});
