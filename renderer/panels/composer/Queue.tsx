import { ArrowUp, Clock, Pencil, X } from 'lucide-react';
import { useClient, valueOrToast } from '../../client/client.ts';
import { IconButton } from '../../parts/Button.tsx';
import { currentDraft, writeDraft } from '../../view/drafts.ts';
import { focusComposer } from '../../view/show.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** Messages that wait for the end of the turn. */
export function Queue() {
  const words = useWords();
  const client = useClient();
  const queue = useSession((session) => session.queue);
  const session = useSession(({ id }) => id);
  if (queue.length === 0) return null;
  /** Back into the field, before what is being written there. */
  const takeBack = async (id: string, text: string): Promise<void> => {
    if (!(await valueOrToast(client.call('session.unqueue', { session, id })))) return;
    const now = currentDraft().text;
    writeDraft({ text: now === '' ? text : `${text}\n\n${now}` });
    focusComposer();
  };
  const moveUp = (index: number): void => {
    const [above, moved] = [queue[index - 1], queue[index]];
    if (above && moved)
      void valueOrToast(client.call('session.moveQueued', { session, id: moved.id, before: above.id }));
  };
  return (
    <ol aria-label={words.composer.queued(queue.length)} className="mb-1.5 flex flex-col gap-1">
      {queue.map(({ id, text, attachments = [] }, index) => (
        <li
          key={id}
          className="flex items-center gap-2 rounded-md border border-dashed border-line py-0.5 pr-0.5 pl-2.5 text-xs text-soft"
        >
          <Clock aria-hidden className="size-3 shrink-0" />
          <span className="min-w-0 flex-1 truncate">{text}</span>
          {queue.length > 1 && (
            // The first keeps its button: what moved to the top by keys would lose the focus.
            <IconButton
              label={words.composer.sendEarlier}
              aria-disabled={index === 0}
              className="aria-disabled:opacity-40"
              onClick={() => moveUp(index)}
            >
              <ArrowUp />
            </IconButton>
          )}
          {attachments.every(({ kind }) => kind === 'file' || kind === 'folder') && (
            <IconButton label={words.composer.editQueued} onClick={() => void takeBack(id, text)}>
              <Pencil />
            </IconButton>
          )}
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
