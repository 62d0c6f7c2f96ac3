import { AlertTriangle } from 'lucide-react';
import { Button } from '../../parts/Button.tsx';
import { useWords } from '../../words/words.tsx';

type Handler = (event: { readonly timeStamp: number; preventDefault(): void }) => void;

/** Says that files have moved on since they were proposed, and what can be done: the rest stands, these are proposed anew. */
export function StaleBar({
  files,
  isInert,
  onRebase,
  onKeepRest,
  onLookAnew,
}: {
  readonly files: number;
  readonly isInert: boolean;
  /** Proposes them on the files as they are now. */
  readonly onRebase: Handler;
  /** Leaves them out for good. */
  readonly onKeepRest: Handler;
  readonly onLookAnew: Handler;
}) {
  const { review } = useWords();
  if (files === 0) return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-warn-edge bg-warn-tint px-3 py-1.5 text-xs text-warn"
    >
      <AlertTriangle aria-hidden className="size-3.5 shrink-0" />
      <p className="min-w-60 flex-1">
        <span className="font-semibold">{review.staleFiles(files)}</span>{' '}
        <span className="text-ink">{review.staleMore}</span>
      </p>
      <Button look="primary" aria-disabled={isInert} onClick={onRebase}>
        {review.rebase}
      </Button>
      <Button aria-disabled={isInert} onClick={onKeepRest}>
        {review.keepRest}
      </Button>
      <Button aria-disabled={isInert} onClick={onLookAnew}>
        {review.lookAnew}
      </Button>
    </div>
  );
}
