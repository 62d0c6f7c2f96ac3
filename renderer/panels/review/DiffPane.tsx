import { useEffect, useRef, useState } from 'react';
import type { Change, Hunk } from '../../../shared/model/change.ts';
import type { Monaco } from '../../parts/monaco/loadMonaco.ts';
import { useContent } from '../../parts/useContent.ts';
import { useWords } from '../../words/words.tsx';
import { type DiffView, openDiffView } from './diffView.ts';
import { HunkTools } from './HunkTools.tsx';
import { NoHunks } from './NoHunks.tsx';
import type { Decision, Edited } from './verdict.ts';

export interface DiffPaneProps {
  readonly session: string;
  /** Shown as long as it is the same object; a fresh one opens the editor anew. Without hunks there is nothing to decide. */
  readonly change: Pick<Change, 'path' | 'oldPath' | 'status' | 'before' | 'after' | 'binary' | 'executable'> &
    Partial<Pick<Change, 'hunks'>>;
  /** Absent: only to look at. */
  readonly review?: {
    readonly decision: Decision;
    readonly onDecide: (change: (decision: Decision) => Decision) => void;
  };
}

const noHunks: readonly Hunk[] = [];

/** The diff of one file. The editor is fetched the first time one is shown. */
export function DiffPane({ session, change, review }: DiffPaneProps) {
  const before = useContent(session, change.before);
  const after = useContent(session, change.after);
  const isBinary = change.binary === true || before.state === 'binary' || after.state === 'binary';
  if (isBinary && before.state !== 'loading' && after.state !== 'loading')
    return <NoHunks change={change} before={before} after={after} />;
  const failed = before.state === 'failed' ? before : after.state === 'failed' ? after : null;
  if (failed)
    return (
      <p role="alert" className="p-6 text-center text-bad">
        {failed.message}
      </p>
    );
  if (before.state !== 'text' || after.state !== 'text') return <DiffSkeleton />;
  // Only a name, a right or an empty file: an editor with two equal sides would say nothing.
  if (before.text === after.text) return <NoHunks change={change} before={before} after={after} />;
  return (
    <Diff
      key={`${change.path} ${change.after}`}
      change={change}
      before={before.text}
      after={after.text}
      review={review}
    />
  );
}

function DiffSkeleton() {
  return (
    <div aria-hidden className="flex flex-1 flex-col gap-2 p-4">
      {[70, 55, 85, 40, 65].map((width) => (
        <div key={width} className="skeleton h-3.5" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

function Diff({
  change,
  before,
  after,
  review,
}: {
  readonly change: DiffPaneProps['change'];
  readonly before: string;
  readonly after: string;
  readonly review: DiffPaneProps['review'];
}) {
  const words = useWords();
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<DiffView>(null);
  const [tops, setTops] = useState<readonly number[]>([]);
  const [isReady, setIsReady] = useState(false);
  const [isDrawn, setIsDrawn] = useState(false);
  const onDecide = useRef(review?.onDecide);
  onDecide.current = review?.onDecide;
  const firstEdit = useRef<Edited | null>(review?.decision.edited ?? null);
  const isReset = review?.decision.edited === null;
  const [visit, setVisit] = useState(0);
  const wasEdited = useRef(!isReset);
  if (!isReset) wasEdited.current = true;
  else if (wasEdited.current && visit >= 0) {
    // The edits were taken back from outside: the proposed side is opened anew.
    wasEdited.current = false;
    firstEdit.current = null;
    setVisit(visit + 1);
  }
  const { hunks = noHunks } = change;
  const readOnly = review === undefined || change.after === null;

  // `visit` opens it anew
  useEffect(() => {
    let gone = false;
    void import('../../parts/monaco/loadMonaco.ts').then((monaco: Monaco) => {
      if (gone || !place.current) return;
      view.current = openDiffView(monaco, {
        place: place.current,
        path: change.path,
        before,
        after,
        hunks,
        names: {
          before: `${words.review.before}: ${change.path}`,
          after: `${words.review.after}: ${change.path}`,
        },
        edited: firstEdit.current,
        readOnly,
        onEdit: (edited) =>
          onDecide.current?.((decision) => ({ ...decision, edited: edited.text === after ? null : edited })),
        onDrawn: () => setIsDrawn(true),
        onPlaces: setTops,
      });
      setIsReady(true);
    });
    return () => {
      gone = true;
      setIsReady(false);
      setIsDrawn(false);
      view.current?.dispose();
      view.current = null;
    };
  }, [before, after, change, hunks, readOnly, visit, words]);

  const rejected = review?.decision.rejected;
  useEffect(() => {
    if (isReady && rejected) view.current?.showRejected(rejected);
  }, [isReady, rejected]);

  return (
    <div
      className="relative min-h-0 flex-1 overflow-hidden"
      role="group"
      aria-label={`${words.review.title}: ${change.path}`}
    >
      {!isDrawn && (
        <div className="absolute inset-0">
          <DiffSkeleton />
        </div>
      )}
      <div ref={place} className={`absolute inset-0 ${isDrawn ? '' : 'invisible'}`} />
      {isReady && review && hunks.length > 0 && (
        <HunkTools hunks={hunks} tops={tops} decision={review.decision} onDecide={review.onDecide} />
      )}
    </div>
  );
}
