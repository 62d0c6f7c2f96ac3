import { AlertTriangle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useClient } from '../../client/client.ts';
import { useWords } from '../../words/words.tsx';

/** How often the files behind a waiting change are looked at; an editor's save should show before *Apply* is pressed. */
const lookEveryMs = 3000;

/** Says when a file is no longer as it was when the change was proposed. */
export function StaleBanner({
  session,
  call,
  path,
}: {
  readonly session: string;
  readonly call: string;
  readonly path: string;
}) {
  const words = useWords();
  const client = useClient();
  const [stale, setStale] = useState<readonly { readonly path: string; readonly why: string }[]>([]);
  useEffect(() => {
    let current = true;
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const answer = await client.call('change.fresh', { session, call });
      if (current && answer.ok) setStale(answer.value.stale);
    };
    setStale([]);
    void look();
    const timer = setInterval(() => void look(), lookEveryMs);
    const onFocus = (): void => void look();
    window.addEventListener('focus', onFocus);
    return () => {
      current = false;
      clearInterval(timer);
      window.removeEventListener('focus', onFocus);
    };
  }, [client, session, call]);
  const found = stale.find((file) => file.path === path);
  if (!found) return null;
  return (
    <div
      role="alert"
      className="flex items-start gap-2 border-b border-warn-edge bg-warn-tint px-3 py-1.5 text-xs text-warn"
    >
      <AlertTriangle aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <p>
        <span className="font-semibold">{words.review.stale(found.why)}</span>{' '}
        <span className="text-ink">{words.review.staleMore}</span>
      </p>
    </div>
  );
}
