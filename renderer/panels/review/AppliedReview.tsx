import { FileCheck2, Redo2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { AppliedChangeSet, AppliedFile } from '../../../shared/model/change.ts';
import { sinceStart } from '../../../shared/model/sinceStart.ts';
import { useClient } from '../../client/client.ts';
import { moveChangeSet, takeBack } from '../../commands/actions.ts';
import { buildErrors } from '../../mirror/selectors.ts';
import { Age } from '../../parts/Age.tsx';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { Empty } from '../../parts/Empty.tsx';
import { Lines } from '../../parts/Lines.tsx';
import { PathText } from '../../parts/PathText.tsx';
import { useReviewState } from '../../view/panelState.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { DiffScroll } from './DiffScroll.tsx';
import { ReviewBody } from './ReviewBody.tsx';
import type { ScrollFile } from './scrollFile.ts';
import { statusSigns } from './statusSigns.ts';

/** What was written in this session, newest first; each set, file and hunk can be taken back, and put back. */
export function AppliedReview() {
  const words = useWords();
  const client = useClient();
  const session = useSession(({ id }) => id);
  const sets = useSession(({ changeSets }) => changeSets).toReversed();
  const { path: wanted, set: wantedSet } = useReviewState();
  const appliesEdits = useSession((state) => state.appliesEdits);
  const [wish, setIsWhole] = useState<boolean>();
  // What came unasked is reviewed as one.
  const isWhole = wish ?? appliesEdits;
  const breaking = useSession(buildErrors);
  const set =
    sets.find(({ id }) => id === wantedSet) ??
    sets.find(({ files }) => files.some(({ path }) => path === wanted)) ??
    sets[0];
  const file = set?.files.find(({ path }) => path === wanted) ?? set?.files[0];
  const fileOf = (of: string, change: AppliedFile, canTakeBack: boolean): ScrollFile => ({
    key: `${of} ${change.path}`,
    change,
    onTakeBack: canTakeBack ? (hunks) => void takeBack(client, words, session, change, hunks) : undefined,
    brokenBy: (index, { nowStart, nowEnd }) =>
      breaking.filter(({ written, line = 0 }) =>
        written?.path !== change.path
          ? false
          : of === 'whole'
            ? line > nowStart && line <= Math.max(nowEnd, nowStart + 1)
            : written.changeSet === of && written.hunk === index,
      ),
  });
  const whole = isWhole ? sinceStart(sets.toReversed()).map((change) => fileOf('whole', change, true)) : [];
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-7.5 shrink-0 items-center border-b border-line px-1.5">
        <Button
          look="quiet"
          className="aria-pressed:bg-chosen aria-pressed:text-ink"
          aria-pressed={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {words.review.sinceStart}
        </Button>
      </div>
      {isWhole && whole.length === 0 && <Empty icon={FileCheck2} title={words.review.allBack} />}
      {isWhole && whole.length > 0 && <ReviewBody label={words.review.sinceStart} session={session} files={whole} />}
      {!isWhole && (
        <>
          <ol className="max-h-[32%] shrink-0 overflow-y-auto border-b border-line p-1.5">
            {sets.map((each) => (
              <SetView
                key={each.id}
                session={session}
                set={each}
                chosen={each === set ? file : undefined}
                onChoose={(path) => useReviewState.setState({ path, set: each.id })}
              />
            ))}
          </ol>
          {set && (
            <DiffScroll
              key={set.id}
              session={session}
              files={set.files.map((change) =>
                fileOf(set.id, change, set.state === 'applied' && change.verdict !== 'rejected'),
              )}
              label={words.review.applied}
            />
          )}
        </>
      )}
    </div>
  );
}

function SetView({
  session,
  set,
  chosen,
  onChoose,
}: {
  readonly session: string;
  readonly set: AppliedChangeSet;
  readonly chosen: AppliedFile | undefined;
  readonly onChoose: (path: string) => void;
}) {
  const words = useWords();
  const client = useClient();
  const isUndone = set.state === 'undone';
  const written = set.files.filter(({ verdict }) => verdict !== 'rejected');
  return (
    <li className="pb-1">
      <div className="flex h-7 items-center gap-2 pr-1 pl-2 text-xs text-soft">
        <span className={cx('font-medium', !isUndone && 'text-good')}>
          {isUndone ? words.review.undone : set.isTakenBack ? words.review.takenBack : words.review.applied}
        </span>
        <Age at={set.at} isSentence />
        <span className="flex-1" />
        {written.length > 0 && (
          <Button
            look="quiet"
            className="h-5.5"
            onClick={() => void moveChangeSet(client, words, isUndone ? 'change.redo' : 'change.undo', session, set.id)}
          >
            {isUndone ? <Redo2 aria-hidden className="size-3.5" /> : <Undo2 aria-hidden className="size-3.5" />}
            {isUndone ? words.review.redo : words.review.undo}
          </Button>
        )}
      </div>
      <ul>
        {set.files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              aria-current={file === chosen}
              onClick={() => onChoose(file.path)}
              className={cx(
                'flex h-6.5 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover',
                file === chosen && 'bg-chosen hover:bg-chosen',
                isUndone && 'opacity-60',
              )}
            >
              <span aria-hidden className={cx('w-3 font-mono text-2xs font-bold', statusSigns[file.status].color)}>
                {statusSigns[file.status].sign}
              </span>
              <PathText
                path={file.path}
                className={cx('flex-1 font-mono text-xs', file.verdict === 'rejected' && 'line-through')}
              />
              {file.verdict !== 'applied' && (
                <span className="shrink-0 text-2xs text-accent">{words.review.verdict[file.verdict]}</span>
              )}
              <Lines additions={file.additions} deletions={file.deletions} />
            </button>
          </li>
        ))}
      </ul>
    </li>
  );
}
