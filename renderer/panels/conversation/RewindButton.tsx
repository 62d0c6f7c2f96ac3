import { History } from 'lucide-react';
import type { RewindPoint } from '../../../shared/model/rewind.ts';
import { IconButton } from '../../parts/Button.tsx';
import { openOverlay } from '../../view/overlay.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** Offers to go back to this point; with the text of a message, before it, to be asked anew. */
export function RewindButton({ to, text }: { readonly to: RewindPoint; readonly text?: string }) {
  const words = useWords();
  const session = useSession(({ id }) => id);
  const isBusy = useSession(({ turn }) => turn !== null);
  return (
    <IconButton
      label={words.rewind.open}
      disabled={isBusy}
      className="opacity-0 transition-opacity group-hover:opacity-100 focus-visible:opacity-100"
      onClick={() => openOverlay({ kind: 'rewind', session, to, ...(text === undefined ? {} : { text }) })}
    >
      <History />
    </IconButton>
  );
}
