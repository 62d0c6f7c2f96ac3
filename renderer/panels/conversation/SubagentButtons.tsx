import { Bot, Square } from 'lucide-react';
import { useClient, valueOrToast } from '../../client/client.ts';
import { openSession } from '../../commands/actions.ts';
import { subagents } from '../../mirror/selectors.ts';
import { IconButton } from '../../parts/Button.tsx';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** Of a call that started a subagent: opens its session, and stops it while it works. */
export function SubagentButtons({ call }: { readonly call: string }) {
  const words = useWords();
  const client = useClient();
  const session = useSession(({ id }) => id);
  const one = useWorkbench(({ sessions }) => subagents(sessions).get(`${session} ${call}`) ?? null);
  if (one === null || one === undefined) return null;
  return (
    <>
      {one.state !== 'idle' && (
        <IconButton
          label={words.call.stopSubagent}
          onClick={() => void valueOrToast(client.call('session.stop', { session: one.id }))}
        >
          <Square />
        </IconButton>
      )}
      <IconButton label={words.call.openSubagent} onClick={() => void openSession(client, one.id, one.project)}>
        <Bot />
      </IconButton>
    </>
  );
}
