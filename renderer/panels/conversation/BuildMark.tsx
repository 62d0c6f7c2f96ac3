import { CircleX } from 'lucide-react';
import { buildErrors } from '../../mirror/selectors.ts';
import { showReview } from '../../view/show.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** At what was written: builds that run now find errors in it, or since it. */
export function BuildMark({ changeSet }: { readonly changeSet: string }) {
  const { builds: w } = useWords();
  const errors = useSession(buildErrors);
  const inside = errors.filter(({ written }) => written?.changeSet === changeSet);
  const since = errors.filter((error) => error.since === changeSet);
  const count = inside.length + since.length;
  if (count === 0) return null;
  return (
    <button
      type="button"
      title={[...inside, ...since].map(({ message }) => message).join('\n')}
      className="flex h-5.5 shrink-0 items-center gap-1 rounded-sm bg-bad-tint px-1.5 text-2xs font-medium text-bad hover:underline"
      onClick={() => showReview(inside[0]?.written?.path ?? null, changeSet)}
    >
      <CircleX aria-hidden className="size-3" />
      {w.breaks(count)}
    </button>
  );
}
