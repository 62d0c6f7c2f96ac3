import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { seekInReview, useReviewLook, useReviewState } from '../../view/panelState.ts';
import { useWords } from '../../words/words.tsx';
import { DiffLine } from './DiffLine.tsx';
import { wordsOfRun } from './diffRows.ts';
import { FileEditor } from './FileEditor.tsx';
import { FileHead } from './FileHead.tsx';
import { NoHunks } from './NoHunks.tsx';
import { RunBar } from './RunBar.tsx';
import { useReviewKeys } from './reviewKeys.tsx';
import type { ScrollFile } from './scrollFile.ts';
import { type DrawnFile, drawnFiles, runRows, type ScrollRow } from './scrollRows.ts';
import { useColours } from './useColours.ts';
import { useContents } from './useContents.ts';

/** From this width on both sides can be read beside each other (px). */
const besideFrom = 860;
const lineHeightPx = 18.4;
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
export function DiffScroll({
  session,
  files,
  label,
}: {
  readonly session: string;
  readonly files: readonly ScrollFile[];
  readonly label: string;
}) {
  const words = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [opened, setOpened] = useState<ReadonlyMap<string, ReadonlySet<number>>>(new Map());
  const [folded, setFolded] = useState<Readonly<Record<string, boolean>>>({});
  const [editing, setEditing] = useState<string | null>(null);
  const contents = useContents(
    session,
    files.map(({ change }) => change),
  );
  const sides = useReviewLook((look) => look.sides);
  const isBeside = sides === 'beside' || (sides === 'auto' && width >= besideFrom);
  const known = useRef<ReadonlyMap<string, DrawnFile>>(new Map());
  const drawn = drawnFiles(files, { contents, isBeside, opened, folded, editing }, known.current);
  known.current = new Map(drawn.map((one) => [one.file.key, one]));
  const rows = useMemo(() => drawn.flatMap((one, file) => one.rows.map((row) => ({ row, file }))), [drawn]);
  const heads = useMemo(() => rows.flatMap(({ row }, index) => (row.kind === 'head' ? [index] : [])), [rows]);
  const stops = useMemo(() => runRows(drawn, rows), [drawn, rows]);
  const { cursor, setCursor, onKeyDown, onFocus, help } = useReviewKeys({
    drawn,
    stops,
    scroller,
    editing,
    setEditing,
  });

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const watching = new ResizeObserver(() => setWidth(element.clientWidth));
    watching.observe(element);
    setWidth(element.clientWidth);
    return () => watching.disconnect();
  }, []);

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

  // A verdict by key goes on to the next hunk: that one comes into sight, and has the focus once it is drawn.
  const goal = useRef<typeof cursor>(null);
  useEffect(() => {
    if (cursor?.isSought && goal.current !== cursor) {
      goal.current = cursor;
      if (cursorRow !== undefined) virtual.scrollToIndex(cursorRow, { align: 'start' });
    }
    if (!cursor?.isSought) return;
    const bar = scroller.current?.querySelector<HTMLElement>(
      `[data-at="${CSS.escape(`${cursor.key} ${cursor.run}`)}"]`,
    );
    const button = bar?.querySelector<HTMLElement>('[data-accept]') ?? bar;
    if (!button) return;
    button.focus({ preventScroll: true });
    setCursor({ ...cursor, isSought: false });
  });
  const wanted = useReviewState(({ path }) => path);
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (wanted === null || shown.current === wanted) return;
    const file = drawn.findIndex(({ file: { key, change } }) => key === wanted || change.path === wanted);
    const head = heads[file];
    if (head === undefined) return;
    shown.current = wanted;
    virtual.scrollToIndex(head, { align: 'start' });
  }, [wanted, drawn, heads, virtual]);
  useEffect(() => {
    if (wanted === null) shown.current = null;
  }, [wanted]);

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
                {rowView(at.row, one, index === firstRow)}
              </div>
            );
          })}
        </div>
      </div>
      {help}
    </section>
  );

  function rowView(row: ScrollRow, one: DrawnFile, isFirst: boolean) {
    const { file, diff, texts } = one;
    switch (row.kind) {
      case 'head':
        return (
          <FileHead
            file={file}
            isFolded={one.isFolded}
            isEditing={editing === file.key}
            canEdit={texts !== undefined && file.change.after !== null && (file.change.hunks?.length ?? 0) > 0}
            onFold={() => setFolded((before) => ({ ...before, [file.key]: !one.isFolded }))}
            onEdit={() => {
              setEditing(editing === file.key ? null : file.key);
              seekInReview(file.key);
            }}
          />
        );
      case 'run': {
        const run = diff?.runs[row.run];
        return (
          diff &&
          run && (
            <RunBar
              change={file.change}
              diff={diff}
              run={run}
              index={row.run}
              review={file.review}
              isCurrent={cursor?.key === file.key && cursor.run === row.run}
              isFirst={isFirst}
            />
          )
        );
      }
      case 'fold':
        return (
          <button
            type="button"
            className="flex h-6 w-full items-center bg-inset px-3 text-left text-2xs text-soft hover:bg-hover hover:text-ink"
            onClick={() =>
              setOpened((before) => new Map(before).set(file.key, new Set([...(before.get(file.key) ?? []), row.from])))
            }
          >
            ⋯ {words.review.folded(row.count)}
          </button>
        );
      case 'line':
      case 'pair':
        return (
          <DiffLine row={row} colours={colours(one)} words={diff && row.run >= 0 ? wordsOfRun(diff, row) : undefined} />
        );
      case 'loading':
        return <div aria-hidden className="skeleton m-3 h-8" />;
      case 'failed':
        return (
          <p role="alert" className="p-4 text-center text-bad">
            {row.message}
          </p>
        );
      case 'note':
        return <NoHunks change={file.change} before={row.contents.before} after={row.contents.after} />;
      case 'editor':
        return (
          file.review &&
          texts && (
            <div style={{ height: editorHeight(texts.after) }}>
              <FileEditor
                key={`${file.key} ${file.change.after}`}
                path={file.change.path}
                hunks={file.review.hunks}
                before={texts.before}
                after={texts.after}
                decision={file.review.decision}
                onDecide={file.review.onDecide}
              />
            </div>
          )
        );
    }
  }
}

/** As much as the text takes, at most two thirds of the window: it scrolls in itself. */
function editorHeight(text: string): number {
  return Math.min(Math.max(160, text.split('\n').length * lineHeightPx + 60), Math.round(window.innerHeight * 0.66));
}

function gutterOf(drawn: readonly DrawnFile[]): number {
  const most = Math.max(99, ...drawn.map(({ diff }) => Math.max(diff?.old.length ?? 0, diff?.now.length ?? 0)));
  return String(most).length + 1;
}
