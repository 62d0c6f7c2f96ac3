import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this many pixels counts as being there: about two lines. */
const nearPx = 48;
/** A scroll this soon after a wheel, finger, key or button is the person's; any other is rows finding their height. */
const personMs = 600;
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
    const isNear = gap < nearPx;
    // Rows that turn out taller or shorter move the view by themselves: that is no wish to leave the end. On a busy machine a
    // scroll comes long after its key; where nothing has another height, it is the person's all the same.
    const heights = `${element.scrollHeight} ${element.clientHeight}`;
    const isPersons = performance.now() - touchedAt.current < personMs || heights === lastHeights.current;
    lastHeights.current = heights;
    if (isNear) stays.current = true;
    else if (isPersons && element.scrollTop < lastTop.current - 1) stays.current = false;
    lastTop.current = element.scrollTop;
    if (stays.current && !isPersons && gap > 1) toEnd();
    else setAtEnd(stays.current || isNear);
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
