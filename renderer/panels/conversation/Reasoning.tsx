import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../parts/cx.ts';
import { LongText } from '../../parts/longText.tsx';
import { useWords } from '../../words/words.tsx';

/** The model's reasoning, closed unless asked for. While it runs, its newest words show in the line. */
export function Reasoning({ text, isLive = false }: { readonly text: string; readonly isLive?: boolean }) {
  const { talk } = useWords();
  const [open, setOpen] = useState(false);
  const tail = text.slice(-160).replace(/\s+/g, ' ');
  return (
    <div className="py-0.5 text-xs text-soft">
      <button
        type="button"
        aria-expanded={open}
        className="flex h-6 w-full items-center gap-1 rounded-sm text-left hover:text-ink"
        onClick={() => setOpen(!open)}
      >
        <ChevronRight aria-hidden className={cx('size-3 shrink-0 transition-transform', open && 'rotate-90')} />
        <span className="shrink-0">{talk.reasoning}</span>
        {isLive && !open && (
          <span dir="rtl" className="min-w-0 flex-1 truncate text-left opacity-70">
            <bdi>{tail}</bdi>
          </span>
        )}
      </button>
      {open && (
        <div className="selectable ml-4 border-l border-line pl-3 leading-5 whitespace-pre-wrap">
          <LongText text={text} />
        </div>
      )}
    </div>
  );
}
