import { useEffect, useRef, useState } from 'react';
import type { Change } from '../../../shared/model/change.ts';
import type { Monaco } from '../../parts/monaco/loadMonaco.ts';
import { useWords } from '../../words/words.tsx';
import { type DiffView, openDiffView } from './diffView.ts';
import type { Decision } from './verdict.ts';

/** One file of the scroll, its proposed side open to be typed in. The editor is fetched the first time one is shown. */
export function FileEditor({
  change,
  before,
  after,
  decision,
  onDecide,
}: {
  readonly change: Change;
  readonly before: string;
  readonly after: string;
  readonly decision: Decision;
  readonly onDecide: (change: (decision: Decision) => Decision) => void;
}) {
  const words = useWords();
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<DiffView>(null);
  const [isDrawn, setIsDrawn] = useState(false);
  const decide = useRef(onDecide);
  decide.current = onDecide;
  const first = useRef(decision.edited);
  useEffect(() => {
    let gone = false;
    void import('../../parts/monaco/loadMonaco.ts').then((monaco: Monaco) => {
      if (gone || !place.current) return;
      view.current = openDiffView(monaco, {
        place: place.current,
        path: change.path,
        before,
        after,
        hunks: change.hunks,
        names: { before: `${words.review.before}: ${change.path}`, after: `${words.review.after}: ${change.path}` },
        edited: first.current,
        onEdit: (edited) =>
          decide.current((now) => ({ ...now, edited: edited.text === after ? null : edited, isRead: undefined })),
        onDrawn: () => {
          setIsDrawn(true);
          view.current?.focus();
        },
      });
    });
    return () => {
      gone = true;
      view.current?.dispose();
      view.current = null;
    };
  }, [before, after, change, words]);
  return (
    <div role="group" aria-label={`${words.review.edit}: ${change.path}`} className="relative h-full">
      {!isDrawn && <div aria-hidden className="skeleton absolute inset-2" />}
      <div ref={place} className={`absolute inset-0 ${isDrawn ? '' : 'invisible'}`} />
    </div>
  );
}
