import { Unplug } from 'lucide-react';
import { useLink } from '../mirror/link.ts';
import { Button } from '../parts/Button.tsx';
import { useNow } from '../parts/useNow.ts';
import { useWords } from '../words/words.tsx';

/** About ten seconds of tries. */
const strandedAfter = 5;

/** Says that the engine is gone, and what happens about it. */
export function LinkBanner({ onRetry }: { readonly onRetry: () => void }) {
  const { link } = useWords();
  const { status, retryAt, reason, failures } = useLink();
  // A browser's page cannot follow a host that was started anew: the token of its address has changed.
  const isStranded = failures >= strandedAfter && window.bridge === undefined;
  if (status !== 'lost') return null;
  return (
    <div
      role="alert"
      className="flex items-center gap-2 border-b border-warn-edge bg-warn-tint px-3 py-1 text-xs text-warn"
    >
      <Unplug aria-hidden className="size-3.5 shrink-0" />
      <p className="min-w-0 flex-1 truncate" title={reason}>
        <span className="font-semibold">{link.lost}</span>{' '}
        <span className="text-ink">{isStranded ? link.stranded : link.lostMore}</span>
      </p>
      <Wait retryAt={retryAt} />
      <Button onClick={onRetry}>{link.retryNow}</Button>
    </div>
  );
}

function Wait({ retryAt }: { readonly retryAt: number | null }) {
  const { link } = useWords();
  const left = Math.ceil(((retryAt ?? 0) - useNow()) / 1000);
  return <span className="tabular text-ink">{left > 0 ? link.retryIn(left) : link.retrying}</span>;
}
