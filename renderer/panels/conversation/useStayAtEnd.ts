import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this many pixels counts as being there: about two lines. */
const nearPx = 48;
/** A scroll this soon after a wheel, finger, key or button is the person's: on a busy machine it comes long after its key. */
const personMs = 2_000;
const personEvents = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointermove'] as const;

const scrollKeys: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);

/**
 * Whether a person may scroll by this event. A click on a button in a row, or Enter on it, folds the row and so moves the
 * view: that is no wish to leave the end.
 */
export function mayScroll(
  event: Pick<Event, 'type' | 'target'> & { readonly key?: string; readonly buttons?: number },
  scroller: unknown,
): boolean {
  if (event.type === 'keydown') return scrollKeys.has(event.key ?? '');
  // On the scroller itself lies only its scrollbar.
  if (event.type === 'pointerdown') return event.target === scroller;
  return event.type !== 'pointermove' || event.buttons !== 0;
}

/** A scroll, as it is found when it has happened. `gap` and `clientHeight` in pixels. */
export interface SeenScroll {
  /** How much lies below what is shown. */
  readonly gap: number;
  readonly clientHeight: number;
  readonly isUp: boolean;
  /** Whether a person's wheel, finger, key or button came just before. */
  readonly isPersons: boolean;
  /** Whether content or scroller have another height than at the scroll before. */
  readonly isResized: boolean;
}

/**
 * What a scroll says about the wish to stay at the end: null where it says nothing. Rows that turn out taller or shorter
 * move the view by themselves; and a button near the end is brought to the middle of the view before an assistive program
 * presses it, half a view at most. Neither is a wish to leave. A longer way up by a program is one.
 */
export function wishOf({ gap, clientHeight, isUp, isPersons, isResized }: SeenScroll): 'stay' | 'leave' | null {
  if (gap < nearPx) return 'stay';
  if (!isUp) return null;
  return isPersons || (!isResized && gap > clientHeight / 2) ? 'leave' : null;
}

/**
 * Keeps a scroller at its end while its content grows or its height changes, until the person scrolls up. What is shown
 * anew (another session) is shown from its end.
 */
export function useStayAtEnd(
  scroller: RefObject<HTMLElement | null>,
  contentHeight: number,
  shown: string | null,
): {
  readonly atEnd: boolean;
  readonly onScroll: () => void;
  readonly leaveEnd: () => void;
  readonly toEnd: () => void;
} {
  const [atEnd, setAtEnd] = useState(true);
  const stays = useRef(true);
  const lastTop = useRef(0);
  const lastHeights = useRef('');
  const touchedAt = useRef(Number.NEGATIVE_INFINITY);

  const toEnd = (): void => {
    const element = scroller.current;
    if (!element) return;
    stays.current = true;
    element.scrollTo({ top: element.scrollHeight });
    lastTop.current = element.scrollTop;
    lastHeights.current = `${element.scrollHeight} ${element.clientHeight}`;
    setAtEnd(true);
  };
  /** Something else than the end is shown on the person's wish. */
  const leaveEnd = (): void => {
    stays.current = false;
    setAtEnd(false);
  };
  const onScroll = (): void => {
    const element = scroller.current;
    if (!element) return;
    const gap = element.scrollHeight - element.clientHeight - element.scrollTop;
    const heights = `${element.scrollHeight} ${element.clientHeight}`;
    const isResized = heights !== lastHeights.current;
    const isPersons = performance.now() - touchedAt.current < personMs;
    const isUp = element.scrollTop < lastTop.current - 1;
    const wish = wishOf({ gap, clientHeight: element.clientHeight, isUp, isPersons, isResized });
    lastHeights.current = heights;
    lastTop.current = element.scrollTop;
    if (wish !== null) stays.current = wish === 'stay';
    if (stays.current && !isPersons && isResized && gap > 1) toEnd();
    else setAtEnd(gap < nearPx);
  };

  const goToEnd = useEffectEvent(toEnd);
  const keep = useEffectEvent(() => {
    if (stays.current) toEnd();
  });
  useLayoutEffect(() => keep(), [contentHeight]);
  useLayoutEffect(() => goToEnd(), [shown]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const watching = new ResizeObserver(() => keep());
    watching.observe(element);
    const onTouch = (event: Event): void => {
      if (mayScroll(event, element)) touchedAt.current = performance.now();
    };
    for (const name of personEvents) element.addEventListener(name, onTouch, { passive: true });
    return () => {
      watching.disconnect();
      for (const name of personEvents) element.removeEventListener(name, onTouch);
    };
  }, [scroller, shown]);
  return { atEnd, onScroll, leaveEnd, toEnd };
}
