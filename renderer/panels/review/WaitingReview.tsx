import { useState } from 'react';
import { toast } from 'sonner';
import type { Client } from '../../../shared/contract/client.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { Finding } from '../../../shared/model/rehearsal.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { type WaitingChange, waitingChanges } from '../../mirror/selectors.ts';
import { useGuard } from '../../parts/approval/useGuard.ts';
import { fetchContent } from '../../parts/useContent.ts';
import { currentSession, useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { answerReview } from './answerReview.ts';
import { carriedOver } from './carryOver.ts';
import { decide, decisionOn, fileKey, forgetDecisions, useDecisions } from './decisions.ts';
import { fallenHunks } from './fallen.ts';
import { RehearsalBar } from './RehearsalBar.tsx';
import { ReviewBody } from './ReviewBody.tsx';
import { ReviewFoot } from './ReviewFoot.tsx';
import { StaleBar } from './StaleBar.tsx';
import type { ScrollFile } from './scrollFile.ts';
import { textsIn, useContents } from './useContents.ts';
import { useRehearsal } from './useRehearsal.ts';
import { blockedCalls, useStale } from './useStale.ts';
import { allRejected, commented, type Decision, keptOf, partsOf, wholeFile } from './verdict.ts';

/** What the model hears of proposals whose files have moved on. */
const staleReason = 'The file changed on disk since this was proposed. Read it again and propose the change anew.';

const noHunks: readonly number[] = [];
const noFindings: readonly Finding[] = [];

const keyOf = ({ call, change }: WaitingChange): string => fileKey(call, change.path);

/** Takes what was decided about a proposal along to where it was rebased to. */
async function carryOver(client: Client, session: string, key: string, was: Change, now: Change): Promise<void> {
  const [one, other] = [await fetchContent(client, session, was.after), await fetchContent(client, session, now.after)];
  const proposed = { was: one.state === 'text' ? one.text : '', now: other.state === 'text' ? other.text : '' };
  decide(key, (decision) => carriedOver(decision, was, now, proposed));
}

/** All edits that wait, decided hunk by hunk and answered together; those whose files have moved on are left out. */
export function WaitingReview() {
  const words = useWords();
  const client = useClient();
  const session = useSession(({ id }) => id);
  const waiting = useSession(waitingChanges);
  const byFile = useDecisions((decisions) => decisions.byFile);
  const [busy, setBusy] = useState(false);
  const { stale, blocked, look } = useStale(session, waiting);
  const { settled, guarded } = useGuard(waiting.map(({ call }) => call).join(' '));

  const decisionOf = (each: WaitingChange): Decision => decisionOn(byFile, keyOf(each));
  useRehearsal(session, waiting, decisionOf);
  const found = useSession(({ rehearsal }) => rehearsal?.findings) ?? noFindings;
  const contents = useContents(
    session,
    waiting.map(({ change }) => change),
  );
  const fallen = fallenHunks(waiting, keyOf, decisionOf, ({ change }) => textsIn(contents, change));
  const fallenOf = (each: WaitingChange): readonly number[] => fallen[keyOf(each)] ?? noHunks;
  const open = waiting.filter(({ call }) => !blocked.has(call));
  const all = open.reduce((sum, { change }) => sum + partsOf(change), 0);
  const kept = open.reduce((sum, each) => sum + keptOf(each.change, decisionOf(each)) - fallenOf(each).length, 0);
  const files = waiting.map((each): ScrollFile => {
    const { change, layer } = each;
    const key = keyOf(each);
    const why = stale[change.oldPath ?? change.path];
    const decided = { decision: decisionOf(each), onDecide: (to: (before: Decision) => Decision) => decide(key, to) };
    const findings = found.filter(({ place }) => place?.call === each.call && place.path === change.path);
    const facts = { hunks: change.hunks, fallen: fallenOf(each), stale: why, layer, findings };
    return { key, change, review: { ...decided, ...facts } };
  });
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
    const before = new Map(waiting.map((each) => [keyOf(each), each.change]));
    const done = await valueOrToast(client.call('change.rebase', { session }));
    // The facts of the rebase have come before its answer.
    for (const each of done ? waitingChanges(currentSession()) : []) {
      const was = before.get(keyOf(each));
      if (was && was.after !== each.change.after) await carryOver(client, session, keyOf(each), was, each.change);
    }
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

  if (waiting.length === 0) return null;
  const apply = kept === all ? words.review.applyAll(all) : words.review.apply(kept, all);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <StaleBar
        files={staleFiles}
        isInert={!settled || busy}
        onRebase={guarded(() => void rebase())}
        onKeepRest={guarded(() => void answer(outdated, rejected))}
        onLookAnew={guarded(() => void answer(outdated, anewOf))}
      />
      <RehearsalBar guarded={guarded} />
      <ReviewBody session={session} files={files} label={words.review.waiting} />
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
