import { Unplug } from 'lucide-react';
import { useConnection } from '../client/connection.ts';
import { Button } from '../parts/Button.tsx';
import { useNow } from '../parts/useNow.ts';
import { useWords } from '../words/words.tsx';

/** About ten seconds of tries. */
const strandedAfter = 5;

/** Says that the engine is gone, and what happens about it. */
export function ConnectionBanner({ onRetry }: { readonly onRetry: () => void }) {
  const { connection } = useWords();
  const { status, retryAt, reason, failures } = useConnection();
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
        <span className="font-semibold">{connection.lost}</span>{' '}
        <span className="text-ink">{isStranded ? connection.stranded : connection.lostMore}</span>
      </p>
      <Wait retryAt={retryAt} />
      <Button onClick={onRetry}>{connection.retryNow}</Button>
    </div>
  );
}

function Wait({ retryAt }: { readonly retryAt: number | null }) {
  const { connection } = useWords();
  const left = Math.ceil(((retryAt ?? 0) - useNow()) / 1000);
  return <span className="tabular text-ink">{left > 0 ? connection.retryIn(left) : connection.retrying}</span>;
}
