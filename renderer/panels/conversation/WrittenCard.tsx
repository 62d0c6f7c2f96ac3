import { Check, ChevronRight, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Call } from '../../../shared/model/call.ts';
import { useClient } from '../../client/client.ts';
import { moveChangeSet } from '../../commands/actions.ts';
import { lineTotals } from '../../mirror/selectors.ts';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { Lines } from '../../parts/Lines.tsx';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { BuildMark } from './BuildMark.tsx';
import { CallCard } from './CallCard.tsx';
import { RewindButton } from './RewindButton.tsx';

/** The edits of a reply that were written as one change set: one line, and one way back. */
export function WrittenCard({ changeSet, calls }: { readonly changeSet: string; readonly calls: readonly Call[] }) {
  const words = useWords();
  const client = useClient();
  const [open, setOpen] = useState(false);
  const session = useSession(({ id }) => id);
  const set = useSession(({ changeSets }) => changeSets.find(({ id }) => id === changeSet) ?? null);
  const files = set?.files.filter(({ verdict }) => verdict !== 'rejected') ?? [];
  const isUndone = set?.state === 'undone';
  return (
    <article className="py-0.5">
      <div className="group flex items-center gap-1">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left transition-colors hover:bg-hover"
        >
          <ChevronRight
            aria-hidden
            className={cx('size-3 shrink-0 text-soft transition-transform', open && 'rotate-90')}
          />
          <Check aria-hidden className="size-3.5 shrink-0 text-good" />
          <span className={cx('shrink-0', isUndone && 'text-soft line-through')}>
            {words.talk.wrote(calls.length, files.length)}
          </span>
          <span className="min-w-0 flex-1 truncate text-xs text-soft">{files.map(({ path }) => path).join(' · ')}</span>
          <Lines {...lineTotals(files)} />
        </button>
        <BuildMark changeSet={changeSet} />
        <RewindButton to={{ changeSet }} />
        {set && (
          <Button
            look="quiet"
            onClick={() =>
              void moveChangeSet(client, words, isUndone ? 'change.redo' : 'change.undo', session, changeSet)
            }
          >
            <Undo2 aria-hidden className={cx('size-3.5', isUndone && '-scale-x-100')} />
            {isUndone ? words.review.redo : words.review.undo}
          </Button>
        )}
      </div>
      {open && (
        <div className="ml-3.5 border-l border-line pl-1.5">
          {calls.map((call) => (
            <CallCard key={call.id} call={call} />
          ))}
        </div>
      )}
    </article>
  );
}
