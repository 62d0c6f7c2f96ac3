import { toast } from 'sonner';
import type { Client } from '../../shared/contract/client.ts';
import type { LaneHome } from '../../shared/model/lane.ts';
import { valueOrToast } from '../client/client.ts';
import { showReview } from '../view/show.ts';
import type { Words } from '../words/words.tsx';
import { openSession } from './actions.ts';

/** Proposes what a lane changed in its project, and shows the review. Where a part does not fit, offers to bring the rest. */
export async function bringHome(
  client: Client,
  words: Words,
  { home, name }: Pick<LaneHome, 'home' | 'name'>,
  leaveConflicts = false,
): Promise<void> {
  const answer = await client.call('lane.bringHome', { project: home, picks: [{ lane: name }], leaveConflicts });
  if (!answer.ok && answer.error.code === 'CONFLICT' && !leaveConflicts) {
    toast.error(answer.error.message, {
      duration: 15_000,
      action: {
        label: words.lanes.bringRest,
        onClick: () => void bringHome(client, words, { home, name }, true),
      },
    });
    return;
  }
  const brought = await valueOrToast(Promise.resolve(answer));
  if (!brought) return;
  await openSession(client, brought.session, home);
  showReview();
}
