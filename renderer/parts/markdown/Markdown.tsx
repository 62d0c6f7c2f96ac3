import { memo, useRef } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { showDialog } from '../../app/view.ts';
import { useWords } from '../../words/words.tsx';
import { noBlocks, splitBlocks } from './blocks.ts';

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
        showDialog({ kind: 'link', url: href });
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
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => <Picture src={src} alt={alt} />,
};

const Block = memo(function Block({ source }: { readonly source: string }) {
  return (
    <div className="block">
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
