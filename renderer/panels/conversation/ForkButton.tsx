import { GitFork } from 'lucide-react';
import { useClient } from '../../client/client.ts';
import { forkSession } from '../../commands/actions.ts';
import { IconButton } from '../../parts/Button.tsx';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** Begins a copy of the session at this item; with the text of a message, before it, to be asked anew. */
export function ForkButton({ item, text }: { readonly item: number; readonly text?: string }) {
  const words = useWords();
  const client = useClient();
  const session = useSession(({ id }) => id);
  return (
    <IconButton
      label={text === undefined ? words.talk.forkAfter : words.talk.forkBefore}
      className="opacity-0 transition-opacity group-hover:opacity-100 focus-visible:opacity-100"
      onClick={() => void forkSession(client, words, session, item, text)}
    >
      <GitFork />
    </IconButton>
  );
}
