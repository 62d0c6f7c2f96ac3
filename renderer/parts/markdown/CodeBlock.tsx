import { Copy } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { openFile } from '../../view/show.ts';
import { useWords } from '../../words/words.tsx';
import { IconButton } from '../Button.tsx';
import { highlight, type TokenLine } from '../code/highlight.ts';
import { linePieces } from '../code/linePieces.ts';
import { copyText } from '../copyText.ts';

/** A block that still streams is coloured when it rests for so long, and at its lines that stay the same meanwhile. */
const restMs = 150;

/** A block of code: its language, its colours, and a button that takes it along. */
export function CodeBlock({ children }: { readonly children?: ReactNode }) {
  const words = useWords();
  const { text, language } = codeOf(children);
  const [lines, setLines] = useState<readonly TokenLine[] | undefined>();
  useEffect(() => {
    if (language === '') return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void highlight(text, language)
        .catch(() => undefined)
        .then((found) => {
          if (isCurrent && found) setLines(found);
        });
    }, restMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, language]);
  return (
    <div className="group/code relative" dir="ltr">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is scrolled by keys too */}
      <pre tabIndex={0}>
        <code>
          {text.split('\n').map((line, index) => (
            <span key={index}>
              {index > 0 && '\n'}
              {linePieces(line, lines?.[index], []).map((piece, at) =>
                piece.kind === '' ? (
                  piece.text
                ) : (
                  <span key={at} className={`word-${piece.kind}`}>
                    {piece.text}
                  </span>
                ),
              )}
            </span>
          ))}
        </code>
      </pre>
      <span className="absolute top-1 right-1 flex items-center gap-1">
        <IconButton
          label={words.talk.copyCode}
          className="bg-raised opacity-0 transition-opacity group-hover/code:opacity-100 focus-visible:opacity-100"
          onClick={() => void copyText(text, words)}
        >
          <Copy />
        </IconButton>
        {language !== '' && <span className="pr-1 text-2xs text-soft">{language}</span>}
      </span>
    </div>
  );
}

/** The text and the language of the one `code` in a `pre`. */
function codeOf(children: ReactNode): { readonly text: string; readonly language: string } {
  const child = (Array.isArray(children) ? children[0] : children) as ReactElement<{
    readonly className?: string;
    readonly children?: ReactNode;
  }> | null; // as react-markdown makes it
  const { className = '', children: inside } = child?.props ?? {};
  const text = Array.isArray(inside) ? inside.join('') : typeof inside === 'string' ? inside : '';
  return { text: text.replace(/\n$/, ''), language: /language-([\w+#-]+)/.exec(className)?.[1]?.toLowerCase() ?? '' };
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
export function InlineCode({ children }: { readonly children?: ReactNode }) {
  const place = typeof children === 'string' ? filePlaceOf(children) : null;
  if (place === null) return <code dir="ltr">{children}</code>;
  return (
    <button
      type="button"
      className="text-accent underline underline-offset-2"
      onClick={() => openFile(place.path, place)}
    >
      <code dir="ltr">{children}</code>
    </button>
  );
}
