import { useEffect, useRef, useState } from 'react';
import { seekInReview, useReviewState } from '../../view/panelState.ts';
import { DiffScroll } from './DiffScroll.tsx';
import { ReviewTools } from './ReviewTools.tsx';
import type { ScrolledFiles } from './scrollFile.ts';
import { isReviewed } from './verdict.ts';
import { WaitingFiles } from './WaitingFiles.tsx';

/** From this width on the list of files stands at the side (px). */
const listBesideFrom = 760;

/** The files of a review and the one scroll over all of them. */
export function ReviewBody({ session, files, label }: ScrolledFiles) {
  const place = useRef<HTMLDivElement>(null);
  const [isBeside, setIsBeside] = useState(false);
  const chosen = useReviewState(({ path }) => path);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const look = (): void => setIsBeside(element.clientWidth >= listBesideFrom);
    const watching = new ResizeObserver(look);
    watching.observe(element);
    look();
    return () => watching.disconnect();
  }, []);
  const waiting = files.flatMap(({ review }) => review ?? []);
  const unread = waiting.filter((review) => !isReviewed(review, review.decision)).length;
  return (
    <>
      <ReviewTools unread={waiting.length > 0 ? unread : undefined} />
      <div ref={place} className={`flex min-h-0 flex-1 ${isBeside ? '' : 'flex-col'}`}>
        <WaitingFiles
          files={files}
          chosen={chosen}
          label={label}
          isBeside={isBeside}
          onChoose={({ key }) => seekInReview(key)}
        />
        <DiffScroll session={session} files={files} label={label} />
      </div>
    </>
  );
}
