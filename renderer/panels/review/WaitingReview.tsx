import { RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { useClient } from '../../client/client.ts';
import { type WaitingChange, waitingChanges } from '../../mirror/selectors.ts';
import { useGuard } from '../../parts/approval/useGuard.ts';
import { Button } from '../../parts/Button.tsx';
import { isMac, keysText, matchesKeys } from '../../parts/keys.ts';
import { isDialogOpen } from '../../view/overlay.ts';
import { useReviewState } from '../../view/panelState.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { answerReview } from './answerReview.ts';
import { DiffPane } from './DiffPane.tsx';
import { decide, decisionOn, fileKey, forgetDecisions, useDecisions } from './decisions.ts';
import { StaleBanner } from './StaleBanner.tsx';
import { keptOf, partsOf } from './verdict.ts';
import { WaitingFiles } from './WaitingFiles.tsx';

const applyKeys = 'mod+enter';

/** All edits that wait, decided hunk by hunk and answered together. */
export function WaitingReview() {
  const words = useWords();
  const client = useClient();
  const session = useSession(({ id }) => id);
  const waiting = useSession(waitingChanges);
  const byFile = useDecisions((decisions) => decisions.byFile);
  const wanted = useReviewState(({ path }) => path);
  const [busy, setBusy] = useState(false);
  const [picked, setPicked] = useState<string | null>(null);
  const keyOf = ({ call, change }: WaitingChange): string => fileKey(call, change.path);
  const file =
    waiting.find((each) => keyOf(each) === picked && (wanted === null || wanted === each.change.path)) ??
    waiting.find(({ change }) => change.path === wanted) ??
    waiting[0];
  const { settled, guarded } = useGuard(waiting.map(({ call }) => call).join(' '));

  const decisionOf = ({ call, change }: (typeof waiting)[number]) => decisionOn(byFile, fileKey(call, change.path));
  const all = waiting.reduce((sum, { change }) => sum + partsOf(change), 0);
  const kept = waiting.reduce((sum, each) => sum + keptOf(each.change, decisionOf(each)), 0);

  const answer = async (rejectAll: boolean): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const problem = await answerReview(client, session, waiting, (each) => {
      const decision = decisionOf(each);
      return rejectAll
        ? { ...decision, rejected: Array.from({ length: partsOf(each.change) }, (_, index) => index) }
        : decision;
    });
    setBusy(false);
    if (problem === undefined) forgetDecisions(waiting.map(({ call, change }) => fileKey(call, change.path)));
    else toast.error(problem);
  };

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !matchesKeys(applyKeys, event, isMac)) return;
      if (isDialogOpen() || kept === 0) return;
      event.preventDefault();
      guarded(() => void answer(false))(event);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  });

  if (!file) return null;
  const key = fileKey(file.call, file.change.path);
  const decision = decisionOn(byFile, key);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <WaitingFiles
        waiting={waiting}
        chosen={file}
        decisionOf={decisionOf}
        onChoose={(each) => {
          setPicked(keyOf(each));
          useReviewState.setState({ path: each.change.path });
        }}
      />
      {file.layer && file.layer.number > 1 && (
        <p className="border-b border-line bg-inset px-3 py-1 text-xs text-soft">{words.review.layerMore}</p>
      )}
      <StaleBanner session={session} call={file.call} path={file.change.path} />
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
      <div className="flex h-11 shrink-0 items-center gap-2 border-t border-line bg-panel px-3">
        <Button
          look="primary"
          aria-disabled={!settled || busy}
          disabled={kept === 0}
          onClick={guarded(() => void answer(false))}
        >
          {busy ? words.review.applying : kept === all ? words.review.applyAll(all) : words.review.apply(kept, all)}
          <kbd className="font-sans opacity-80">{keysText(applyKeys, isMac)}</kbd>
        </Button>
        <Button aria-disabled={!settled || busy} onClick={guarded(() => void answer(true))}>
          {words.review.rejectAll}
        </Button>
        <span className="flex-1" />
        <span className="truncate text-xs text-soft">
          {words.review.files(new Set(waiting.map(({ change }) => change.path)).size)}
        </span>
      </div>
    </div>
  );
}
