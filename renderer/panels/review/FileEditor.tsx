import { useEffect, useRef, useState } from 'react';
import type { Hunk } from '../../../shared/model/change.ts';
import type { Monaco } from '../../parts/monaco/loadMonaco.ts';
import { useWords } from '../../words/words.tsx';
import { type DiffView, openDiffView } from './diffView.ts';
import type { Decision } from './verdict.ts';

/** One file of the scroll, its proposed side open to be typed in. The editor is fetched the first time one is shown. */
export function FileEditor({
  path,
  hunks,
  before,
  after,
  decision,
  onDecide,
}: {
  readonly path: string;
  readonly hunks: readonly Hunk[];
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
  const [visit, setVisit] = useState(0);
  const isReset = decision.edited === null;
  // The edits were taken back from outside: the proposed side is opened anew.
  useEffect(() => {
    if (!isReset || view.current === null || view.current.text() === after) return;
    first.current = null;
    setVisit((count) => count + 1);
  }, [isReset, after]);
  // `visit` opens it anew
  useEffect(() => {
    let gone = false;
    void import('../../parts/monaco/loadMonaco.ts').then((monaco: Monaco) => {
      if (gone || !place.current) return;
      view.current = openDiffView(monaco, {
        place: place.current,
        path,
        before,
        after,
        hunks,
        names: { before: `${words.review.before}: ${path}`, after: `${words.review.after}: ${path}` },
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
  }, [before, after, path, hunks, words, visit]);
  return (
    <div role="group" aria-label={`${words.review.edit}: ${path}`} className="relative h-full">
      {!isDrawn && <div aria-hidden className="skeleton absolute inset-2" />}
      <div ref={place} className={`absolute inset-0 ${isDrawn ? '' : 'invisible'}`} />
    </div>
  );
}
