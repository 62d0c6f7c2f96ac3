import { Copy } from 'lucide-react';
import { memo, useRef } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { openOverlay } from '../../view/overlay.ts';
import { useWords } from '../../words/words.tsx';
import { IconButton } from '../Button.tsx';
import { copyText } from '../copyText.ts';
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

/** A block of code with a button that takes it along. */
function Code({ children }: { readonly children?: React.ReactNode }) {
  const words = useWords();
  const block = useRef<HTMLPreElement>(null);
  return (
    <div className="group/code relative">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is scrolled by keys too */}
      <pre ref={block} tabIndex={0}>
        {children}
      </pre>
      <IconButton
        label={words.talk.copyCode}
        className="absolute top-1 right-1 bg-raised opacity-0 transition-opacity group-hover/code:opacity-100 focus-visible:opacity-100"
        onClick={() => void copyText(block.current?.textContent ?? '', words)}
      >
        <Copy />
      </IconButton>
    </div>
  );
}

const components: Components = {
  pre: ({ children }) => <Code>{children}</Code>,
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
