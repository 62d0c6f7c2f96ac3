import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useClient, valueOrToast } from '../../client/client.ts';
import { type WaitingChange, waitingChanges } from '../../mirror/selectors.ts';
import { useGuard } from '../../parts/approval/useGuard.ts';
import { Button } from '../../parts/Button.tsx';
import { useReviewState } from '../../view/panelState.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { answerReview } from './answerReview.ts';
import { DiffPane } from './DiffPane.tsx';
import { decide, decisionOn, fileKey, forgetDecisions, useDecisions } from './decisions.ts';
import { ReviewFoot } from './ReviewFoot.tsx';
import { StaleBar } from './StaleBar.tsx';
import { blockedCalls, useStale } from './useStale.ts';
import { allRejected, commented, type Decision, keptOf, partsOf, wholeFile } from './verdict.ts';
import { WaitingFiles } from './WaitingFiles.tsx';

/** What the model hears of proposals whose files have moved on. */
const staleReason = 'The file changed on disk since this was proposed. Read it again and propose the change anew.';

const keyOf = ({ call, change }: WaitingChange): string => fileKey(call, change.path);

/** All edits that wait, decided hunk by hunk and answered together; those whose files have moved on are left out. */
export function WaitingReview() {
  const words = useWords();
  const client = useClient();
  const session = useSession(({ id }) => id);
  const waiting = useSession(waitingChanges);
  const byFile = useDecisions((decisions) => decisions.byFile);
  const wanted = useReviewState(({ path }) => path);
  const [busy, setBusy] = useState(false);
  const [picked, setPicked] = useState<string | null>(null);
  const file =
    waiting.find((each) => keyOf(each) === picked && (wanted === null || wanted === each.change.path)) ??
    waiting.find(({ change }) => change.path === wanted) ??
    waiting[0];
  const { stale, blocked, look } = useStale(session, waiting);
  const { settled, guarded } = useGuard(waiting.map(({ call }) => call).join(' '));

  const decisionOf = (each: WaitingChange): Decision => decisionOn(byFile, keyOf(each));
  const open = waiting.filter(({ call }) => !blocked.has(call));
  const all = open.reduce((sum, { change }) => sum + partsOf(change), 0);
  const kept = open.reduce((sum, each) => sum + keptOf(each.change, decisionOf(each)), 0);
  const outdated = waiting.filter(({ call }) => blocked.has(call));
  const staleFiles = new Set(outdated.map(({ change }) => change.path)).size;

  const answer = async (
    of: readonly WaitingChange[],
    verdictOn: (each: WaitingChange) => Decision,
    needsFresh = false,
  ): Promise<void> => {
    if (busy || of.length === 0) return;
    setBusy(true);
    // Looked at once more: what has moved on by now is shown first, and the button then says what is left.
    const changed = needsFresh && blockedCalls(of, await look()).size > 0;
    const problem = changed ? undefined : await answerReview(client, session, of, verdictOn);
    setBusy(false);
    if (changed) return;
    if (problem === undefined) forgetDecisions(of.map(keyOf));
    else toast.error(problem);
  };
  const rebase = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const done = await valueOrToast(client.call('change.rebase', { session }));
    if (done && done.files.length > 0) toast(words.review.rebased(done.files.length));
    if (done && done.conflicts.length > 0) toast.error(words.review.rebaseConflicts(done.conflicts));
    await look();
    setBusy(false);
  };
  const rejected = (each: WaitingChange): Decision => allRejected(each.change, decisionOf(each));
  const anewOf = (each: WaitingChange): Decision => {
    const said = decisionOf(each).comments[wholeFile] ?? '';
    return commented(rejected(each), wholeFile, `${said}${said && ' '}${staleReason}`);
  };

  if (!file) return null;
  const key = keyOf(file);
  const decision = decisionOn(byFile, key);
  const apply = kept === all ? words.review.applyAll(all) : words.review.apply(kept, all);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <WaitingFiles
        waiting={waiting}
        chosen={file}
        stale={stale}
        decisionOf={decisionOf}
        onChoose={(each) => {
          setPicked(keyOf(each));
          useReviewState.setState({ path: each.change.path });
        }}
      />
      {file.layer && file.layer.number > 1 && (
        <p className="border-b border-line bg-inset px-3 py-1 text-xs text-soft">{words.review.layerMore}</p>
      )}
      <StaleBar
        files={staleFiles}
        why={stale[file.change.oldPath ?? file.change.path]}
        isInert={!settled || busy}
        onRebase={guarded(() => void rebase())}
        onKeepRest={guarded(() => void answer(outdated, rejected))}
        onLookAnew={guarded(() => void answer(outdated, anewOf))}
      />
      {decision.edited && (
        <p className="flex items-center gap-2 border-b border-line bg-accent-tint px-3 py-1 text-xs">
          <span className="flex-1">
            {file.change.path} · {words.review.edited}
          </span>
          <Button look="quiet" className="h-5" onClick={() => decide(key, (before) => ({ ...before, edited: null }))}>
            <RotateCcw aria-hidden className="size-3" />
            {words.review.reset}
          </Button>
        </p>
      )}
      <DiffPane
        key={key}
        session={session}
        change={file.change}
        review={{ decision, onDecide: (change) => decide(key, change) }}
      />
      <ReviewFoot
        label={busy ? words.review.applying : apply}
        rejectLabel={words.review.rejectAll}
        isEmpty={kept === 0}
        isInert={!settled || busy}
        onApply={guarded(() => void answer(open, decisionOf, true))}
        onReject={guarded(() => void answer(waiting, rejected))}
      >
        {words.review.files(new Set(waiting.map(({ change }) => change.path)).size)}
      </ReviewFoot>
    </div>
  );
}
