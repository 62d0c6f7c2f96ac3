import { Copy, FileInput } from 'lucide-react';
import { useEffect, useState } from 'react';
import { openOverlay } from '../../view/overlay.ts';
import { useWords } from '../../words/words.tsx';
import { IconButton } from '../Button.tsx';
import { highlight, type TokenLine } from '../code/highlight.ts';
import { linePieces } from '../code/linePieces.ts';
import { copyText } from '../copyText.ts';

/** A block that still streams is coloured when it rests for so long, and at its lines that stay the same meanwhile. */
const restMs = 150;

/** Seen when the pointer or the focus is there. */
const quiet = 'bg-raised opacity-0 transition-opacity group-hover/code:opacity-100 focus-visible:opacity-100';

/** A block of code: its language, its colours, and buttons that take it along or into a file. */
export function CodeBlock({ text, language }: { readonly text: string; readonly language: string }) {
  const words = useWords();
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
          label={words.talk.applyCode}
          className={quiet}
          onClick={() => openOverlay({ kind: 'palette', files: true, code: { text, language } })}
        >
          <FileInput />
        </IconButton>
        <IconButton label={words.talk.copyCode} className={quiet} onClick={() => void copyText(text, words)}>
          <Copy />
        </IconButton>
        {language !== '' && <span className="pr-1 text-2xs text-soft">{language}</span>}
      </span>
    </div>
  );
}
