import { FileCheck2 } from 'lucide-react';
import { waitingChanges } from '../../mirror/selectors.ts';
import { Empty } from '../../parts/Empty.tsx';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { AppliedReview } from './AppliedReview.tsx';
import { WaitingReview } from './WaitingReview.tsx';

/** What waits comes first; without it, what was applied and can be taken back. */
export function Review() {
  const words = useWords();
  const isWaiting = useSession((session) => waitingChanges(session).length > 0);
  const isApplied = useSession(({ changeSets }) => changeSets.length > 0);
  if (isWaiting) return <WaitingReview />;
  if (isApplied) return <AppliedReview />;
  return (
    <Empty icon={FileCheck2} title={words.review.none}>
      {words.review.noneMore}
    </Empty>
  );
}
