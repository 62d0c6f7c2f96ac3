import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useClient, valueOrToast } from '../../client/client.ts';
import { Button } from '../../parts/Button.tsx';
import { useShown } from '../../view/shown.ts';
import { useWords } from '../../words/words.tsx';
import type { Action } from './useGit.ts';

/** The message of a commit, written by the person or proposed by the session's model and edited. */
export function CommitBox({
  staged,
  isBusy,
  onAct,
}: {
  /** Files that are staged. */
  readonly staged: number;
  readonly isBusy: boolean;
  readonly onAct: (action: Action) => Promise<boolean>;
}) {
  const { git: w } = useWords();
  const client = useClient();
  const session = useShown((shown) => shown.session);
  const [message, setMessage] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const propose = async (): Promise<void> => {
    if (session === null) return;
    setIsAsking(true);
    const proposed = await valueOrToast(client.call('git.propose', { session }));
    setIsAsking(false);
    if (proposed) setMessage(proposed.message);
  };
  const commit = async (): Promise<void> => {
    if (await onAct({ do: 'commit', message })) setMessage('');
  };
  return (
    <div className="shrink-0 border-t border-line p-2">
      <textarea
        aria-label={w.message}
        placeholder={w.message}
        value={message}
        rows={Math.min(8, Math.max(2, message.split('\n').length))}
        onChange={(event) => setMessage(event.target.value)}
        className="w-full resize-none rounded-md border border-edge/70 bg-inset px-2 py-1 text-xs"
      />
      <div className="flex items-center gap-1.5 pt-1">
        <Button disabled={staged === 0 || session === null || isAsking} onClick={() => void propose()}>
          <Sparkles aria-hidden className="size-3" />
          {isAsking ? w.proposing : w.propose}
        </Button>
        <span className="flex-1" />
        <Button look="primary" disabled={staged === 0 || message.trim() === '' || isBusy} onClick={() => void commit()}>
          {w.commit(staged)}
        </Button>
      </div>
    </div>
  );
}
