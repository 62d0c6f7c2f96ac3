import { Clock, X } from 'lucide-react';
import { useClient, valueOrToast } from '../../client/client.ts';
import { IconButton } from '../../parts/Button.tsx';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** Messages that wait for the end of the turn. */
export function Queue() {
  const words = useWords();
  const client = useClient();
  const queue = useSession((session) => session.queue);
  const session = useSession(({ id }) => id);
  if (queue.length === 0) return null;
  return (
    <ol aria-label={words.composer.queued(queue.length)} className="mb-1.5 flex flex-col gap-1">
      {queue.map(({ id, text }) => (
        <li
          key={id}
          className="flex items-center gap-2 rounded-md border border-dashed border-line py-0.5 pr-0.5 pl-2.5 text-xs text-soft"
        >
          <Clock aria-hidden className="size-3 shrink-0" />
          <span className="min-w-0 flex-1 truncate">{text}</span>
          <IconButton
            label={words.composer.unqueue}
            onClick={() => void valueOrToast(client.call('session.unqueue', { session, id }))}
          >
            <X />
          </IconButton>
        </li>
      ))}
    </ol>
  );
}
