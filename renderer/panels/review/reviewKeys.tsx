import { type FocusEvent, type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import { Modal } from '../../parts/Modal.tsx';
import { seekInReview, useReviewLook } from '../../view/panelState.ts';
import { useWords } from '../../words/words.tsx';
import { takeBackVerdict } from './decisions.ts';
import { takeBackHunk } from './scrollFile.ts';
import type { DrawnFile, RunStop } from './scrollRows.ts';
import { isReviewed, toggled } from './verdict.ts';

/** The run of lines that the keys act on. */
export interface Cursor {
  readonly key: string;
  readonly run: number;
  /** It is to come into sight and to have the focus. */
  readonly isSought: boolean;
}

/** The keys of the review: single letters, which count wherever nothing is typed. */
export function useReviewKeys({
  drawn,
  stops,
  scroller,
  editing,
  setEditing,
}: {
  readonly drawn: readonly DrawnFile[];
  readonly stops: readonly RunStop[];
  readonly scroller: RefObject<HTMLElement | null>;
  readonly editing: string | null;
  readonly setEditing: (key: string | null) => void;
}): {
  readonly cursor: Cursor | null;
  readonly setCursor: (cursor: Cursor) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** The keys act on the hunk that has the focus. */
  readonly onFocus: (event: FocusEvent) => void;
  readonly help: ReactNode;
} {
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const [isHelping, setIsHelping] = useState(false);
  const at = stops.findIndex(({ key, run }) => key === cursor?.key && run === cursor.run);
  const go = (stop: RunStop | undefined): void => {
    if (stop) setCursor({ key: stop.key, run: stop.run, isSought: true });
  };
  const fileOf = (stop: RunStop | undefined): DrawnFile | undefined => (stop ? drawn[stop.file] : undefined);
  const toFile = (index: number): void => {
    const one = drawn[index];
    if (!one) return;
    const stop = stops.find(({ file }) => file === index);
    if (stop) go(stop);
    else seekInReview(one.file.key);
  };
  const nextUnread = (from: number): void => {
    const order = [...drawn.keys()].map((index) => (index + from + 1) % drawn.length);
    toFile(order.find((index) => isOpen(drawn[index])) ?? -1);
  };
  const judge = (keep: boolean): void => {
    const one = fileOf(stops[at]);
    const run = one?.diff?.runs[stops[at]?.run ?? -1];
    if (one?.file.onTakeBack && run && !keep) return takeBackHunk(one.file, run);
    const hunks = run?.hunks ?? [];
    if (hunks.length === 0) return;
    one?.file.review?.onDecide((before) => hunks.reduce((now, hunk) => toggled(now, hunk, keep), before));
    go(stops[at + 1]);
  };
  const acts: Readonly<Record<string, () => void>> = {
    j: () => go(stops[at + 1]),
    k: () => go(stops[Math.max(0, at - 1)]),
    ']': () => toFile(at < 0 ? 0 : (stops[at]?.file ?? 0) + 1),
    '[': () => toFile(Math.max(0, (stops[at]?.file ?? 0) - 1)),
    a: () => (at < 0 ? go(stops[0]) : judge(true)),
    x: () => (at < 0 ? go(stops[0]) : judge(false)),
    c: () => {
      const stop = stops[at];
      const bar = stop && `[data-at="${CSS.escape(`${stop.key} ${stop.run}`)}"] [data-comment]`;
      if (bar) scroller.current?.querySelector<HTMLElement>(bar)?.click();
    },
    u: () => {
      const key = takeBackVerdict();
      if (key !== undefined) go(stops[at]?.key === key ? stops[at] : stops.find((stop) => stop.key === key));
    },
    e: () => {
      const key = stops[at]?.key ?? editing;
      if (key !== undefined) setEditing(editing === key ? null : key);
    },
    v: () => {
      const file = stops[at]?.file ?? 0;
      drawn[file]?.file.review?.onDecide((before) => ({ ...before, isRead: true }));
      nextUnread(file);
    },
    n: () => nextUnread(stops[at]?.file ?? -1),
    s: () => useReviewLook.setState(({ sides }) => ({ sides: sides === 'beside' ? 'inline' : 'beside' })),
    '?': () => setIsHelping(true),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isTyping =
      event.target instanceof Element &&
      event.target.closest('input:not([type=checkbox]), textarea, .monaco-editor, [contenteditable]') !== null;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    const act = acts[event.key];
    if (!act || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act();
  };
  const onFocus = ({ target }: FocusEvent): void => {
    const place = target.closest<HTMLElement>('[data-at]')?.dataset['at'];
    const stop = stops.find(({ key, run }) => `${key} ${run}` === place);
    if (stop && stop !== stops[at]) setCursor({ key: stop.key, run: stop.run, isSought: false });
  };
  return {
    cursor,
    setCursor,
    onKeyDown,
    onFocus,
    help: isHelping && <KeyHelp onClose={() => setIsHelping(false)} />,
  };
}

function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { review: w } = useWords();
  return (
    <Modal title={w.keys} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {w.keyHelp.map(([keys, does]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="font-mono text-xs">{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

function isOpen(one: DrawnFile | undefined): boolean {
  const review = one?.file.review;
  return review !== undefined && !isReviewed(review, review.decision);
}
