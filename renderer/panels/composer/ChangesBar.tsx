import { ChevronRight, FileDiff } from 'lucide-react';
import { lineTotals, waitingChanges } from '../../mirror/selectors.ts';
import { Lines } from '../../parts/Lines.tsx';
import { showReview } from '../../view/show.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** `3 files +40 −12 · Review ▸` over the composer: what waits, else what this session has changed so far. */
export function ChangesBar() {
  const words = useWords();
  const waiting = useSession(waitingChanges);
  const sets = useSession((session) => session.changeSets);
  const applied = sets
    .filter(({ state }) => state === 'applied')
    .flatMap(({ files }) => files.filter(({ verdict }) => verdict !== 'rejected'));
  const changes = waiting.length > 0 ? waiting.map(({ change }) => change) : applied;
  if (changes.length === 0) return null;
  const files = new Set(changes.map(({ path }) => path)).size;
  return (
    <button
      type="button"
      className="mb-1.5 flex h-7 w-full items-center gap-2 rounded-md border border-line bg-raised px-2.5 text-xs transition-colors hover:bg-hover"
      onClick={() => showReview()}
    >
      <FileDiff aria-hidden className={waiting.length > 0 ? 'size-3.5 text-warn' : 'size-3.5 text-soft'} />
      <span>{words.composer.changes(files)}</span>
      <Lines {...lineTotals(changes)} />
      <span className="text-soft">{waiting.length > 0 ? words.review.waiting : words.review.applied}</span>
      <span className="ml-auto flex items-center gap-0.5 text-accent">
        {words.composer.reviewLink}
        <ChevronRight aria-hidden className="size-3" />
      </span>
    </button>
  );
}
