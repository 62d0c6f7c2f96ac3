import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { seekInReview, useReviewState } from '../../view/panelState.ts';
import { DiffRow, lineHeightPx } from './DiffRow.tsx';
import { type Cursor, useReviewKeys } from './reviewKeys.tsx';
import type { ScrolledFiles } from './scrollFile.ts';
import type { DrawnFile, ScrollRow } from './scrollRows.ts';
import { useColours } from './useColours.ts';
import { useDrawnFiles } from './useDrawnFiles.ts';

const heights: Readonly<Record<ScrollRow['kind'], number>> = {
  head: 32,
  run: 26,
  fold: 24,
  line: lineHeightPx,
  pair: lineHeightPx,
  loading: 60,
  note: 180,
  failed: 60,
  editor: 360,
};

/** All files of a review in one scroll. Only what is on screen is drawn, the head of its file stays on top. */
export function DiffScroll({ session, files, label }: ScrolledFiles) {
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const { drawn, rows, heads, stops, editing, setEditing, fold, openFold } = useDrawnFiles(session, files, width);
  const { cursor, setCursor, onKeyDown, onFocus, help } = useReviewKeys({
    drawn,
    stops,
    scroller,
    editing,
    setEditing,
  });

  const top = useRef(0);
  const cursorRow = stops.find(({ key, run }) => key === cursor?.key && run === cursor.run)?.row;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights[rows[index]?.row.kind ?? 'line'],
    getItemKey: (index) => {
      const at = rows[index];
      return at ? `${drawn[at.file]?.file.key} ${at.row.key}` : index;
    },
    overscan: 12,
    scrollPaddingStart: heights.head,
    paddingEnd: 24,
    rangeExtractor: (range) => {
      top.current = heads.findLast((head) => head <= range.startIndex) ?? 0;
      const kept = [top.current, ...(cursorRow === undefined ? [] : [cursorRow])];
      const editor = rows.findIndex(({ row }) => row.kind === 'editor');
      return [...new Set([...kept, ...(editor < 0 ? [] : [editor]), ...defaultRangeExtractor(range)])]
        .filter((index) => index < rows.length)
        .toSorted((a, b) => a - b);
    },
  });

  useSoughtHunk(scroller, cursor, setCursor, () => {
    if (cursorRow !== undefined) virtual.scrollToIndex(cursorRow, { align: 'start' });
  });
  useWantedFile(drawn, (file) => {
    const head = heads[file];
    if (head !== undefined) virtual.scrollToIndex(head, { align: 'start' });
  });

  const items = virtual.getVirtualItems();
  const firstRow = cursorRow ?? items.find(({ index }) => rows[index]?.row.kind === 'run')?.index;
  const visible = new Set(items.map(({ index }) => rows[index]?.file));
  const colours = useColours(drawn, visible);
  return (
    <section
      aria-label={label}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys too
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
        tabIndex={0}
        role="region"
        aria-label={label}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none]"
        style={{ ['--gutter' as string]: `${gutterOf(drawn)}ch` }}
      >
        <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const at = rows[index];
            const one = at && drawn[at.file];
            if (!at || !one) return null;
            const isTop = index === top.current;
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                data-at={at.row.kind === 'run' ? `${one.file.key} ${at.row.run}` : undefined}
                className={isTop ? 'sticky top-0 z-[4] w-full' : 'absolute top-0 left-0 w-full'}
                style={isTop ? undefined : { transform: `translateY(${start}px)` }}
              >
                <DiffRow
                  row={at.row}
                  one={one}
                  colours={colours(one)}
                  isFirst={index === firstRow}
                  isCurrent={at.row.kind === 'run' && cursor?.key === one.file.key && cursor.run === at.row.run}
                  isEditing={editing === one.file.key}
                  onFold={() => fold(one.file.key, !one.isFolded)}
                  onOpen={(from) => openFold(one.file.key, from)}
                  onEdit={() => {
                    setEditing(editing === one.file.key ? null : one.file.key);
                    seekInReview(one.file.key);
                  }}
                />
              </div>
            );
          })}
        </div>
      </div>
      {help}
    </section>
  );
}

/** A verdict by key goes on to the next hunk: that one comes into sight, and has the focus once it is drawn. */
function useSoughtHunk(
  place: RefObject<HTMLElement | null>,
  cursor: Cursor | null,
  setCursor: (cursor: Cursor) => void,
  show: () => void,
): void {
  const goal = useRef<typeof cursor>(null);
  useEffect(() => {
    if (cursor?.isSought && goal.current !== cursor) {
      goal.current = cursor;
      show();
    }
    if (!cursor?.isSought) return;
    const bar = place.current?.querySelector<HTMLElement>(`[data-at="${CSS.escape(`${cursor.key} ${cursor.run}`)}"]`);
    const button = bar?.querySelector<HTMLElement>('[data-accept]') ?? bar;
    if (!button) return;
    button.focus({ preventScroll: true });
    setCursor({ ...cursor, isSought: false });
  });
}

function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const look = (): void => setWidth(element.clientWidth);
    const watching = new ResizeObserver(look);
    watching.observe(element);
    look();
    return () => watching.disconnect();
  }, [place]);
  return width;
}

/** Shows the file that was asked for, once it is among those that are drawn. */
function useWantedFile(drawn: readonly DrawnFile[], show: (file: number) => void): void {
  const wanted = useReviewState(({ path }) => path);
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (wanted === null) shown.current = null;
    if (wanted === null || shown.current === wanted) return;
    const file = drawn.findIndex(({ file: { key, change } }) => key === wanted || change.path === wanted);
    if (file < 0) return;
    shown.current = wanted;
    show(file);
  });
}

function gutterOf(drawn: readonly DrawnFile[]): number {
  const most = Math.max(99, ...drawn.map(({ diff }) => Math.max(diff?.old.length ?? 0, diff?.now.length ?? 0)));
  return String(most).length + 1;
}
