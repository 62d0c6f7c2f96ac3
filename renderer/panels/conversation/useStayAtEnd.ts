import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this many pixels counts as being there: about two lines. */
const nearPx = 48;

/**
 * Keeps a scroller at its end while its content grows or its height changes, until the person scrolls up. What is shown
 * anew (another session) is shown from its end.
 */
export function useStayAtEnd(
  scroller: RefObject<HTMLElement | null>,
  contentHeight: number,
  shown: string | null,
): { readonly atEnd: boolean; readonly onScroll: () => void; readonly toEnd: () => void } {
  const [atEnd, setAtEnd] = useState(true);
  const stays = useRef(true);
  const lastTop = useRef(0);

  const toEnd = (): void => {
    const element = scroller.current;
    if (!element) return;
    stays.current = true;
    element.scrollTo({ top: element.scrollHeight });
    lastTop.current = element.scrollTop;
    setAtEnd(true);
  };
  const onScroll = (): void => {
    const element = scroller.current;
    if (!element) return;
    const isNear = element.scrollHeight - element.clientHeight - element.scrollTop < nearPx;
    // Rows that turn out taller push the end away without any scrolling up: that is no wish to leave it.
    if (isNear) stays.current = true;
    else if (element.scrollTop < lastTop.current - 1) stays.current = false;
    lastTop.current = element.scrollTop;
    setAtEnd(stays.current || isNear);
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
    return () => watching.disconnect();
  }, [scroller, shown]);
  return { atEnd, onScroll, toEnd };
}
