import { ChevronRight, Eye } from 'lucide-react';
import { useState } from 'react';
import type { Call } from '../../../shared/model/call.ts';
import { cx } from '../../parts/cx.ts';
import { useWords } from '../../words/words.tsx';
import { CallCard } from './CallCard.tsx';

/** Neighbouring calls that only looked, as one line. */
export function LookedCard({ calls }: { readonly calls: readonly Call[] }) {
  const words = useWords();
  const [open, setOpen] = useState(false);
  return (
    <div className="py-0.5">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-7 w-full items-center gap-2 rounded-md px-2 text-left text-soft transition-colors hover:bg-hover hover:text-ink"
      >
        <ChevronRight aria-hidden className={cx('size-3 shrink-0 transition-transform', open && 'rotate-90')} />
        <Eye aria-hidden className="size-3.5 shrink-0" />
        <span className="shrink-0">{words.talk.looked(calls.length)}</span>
        {!open && (
          <span className="min-w-0 flex-1 truncate text-xs">
            {calls.map((call) => words.said(call.intent?.summary ?? call.tool)).join(' · ')}
          </span>
        )}
      </button>
      {open && (
        <div className="ml-3.5 border-l border-line pl-1.5">
          {calls.map((call) => (
            <CallCard key={call.id} call={call} />
          ))}
        </div>
      )}
    </div>
  );
}
