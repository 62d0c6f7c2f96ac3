import { FileHeart, FileWarning } from 'lucide-react';
import { useClient } from '../../client/client.ts';
import { copyReadable } from '../../commands/actions.ts';
import { Button } from '../../parts/Button.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { useWords } from '../../words/words.tsx';

/** A session that cannot be opened: why, and what can be saved of a damaged one, which stays as it is. */
export function FailedSession({
  session,
  why,
  isDamaged,
}: {
  readonly session: string;
  readonly why: string;
  readonly isDamaged: boolean;
}) {
  const { sessions, said } = useWords();
  const client = useClient();
  return (
    <div role="alert" className="min-h-0 flex-1 overflow-y-auto">
      <Empty icon={FileWarning} title={sessions.failedTitle}>
        <p className="[overflow-wrap:anywhere]">{said(why)}</p>
        {isDamaged && (
          <>
            <p className="mt-2">{sessions.failedBody}</p>
            <div className="mt-3 flex justify-center">
              <Button look="primary" onClick={() => void copyReadable(client, session)}>
                <FileHeart aria-hidden className="size-3.5" />
                {sessions.copyReadable}
              </Button>
            </div>
          </>
        )}
      </Empty>
    </div>
  );
}
