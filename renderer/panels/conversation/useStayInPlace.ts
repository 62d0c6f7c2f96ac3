import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps what is on screen where it is while older lines come before it, as those of a long session do after its newest.
 * `shown`: whose lines they are; null where another rule says what is in sight.
 */
export function useStayInPlace(
  scroller: RefObject<HTMLElement | null>,
  lines: readonly { readonly key: string }[],
  contentHeight: number,
  shown: string | null,
): void {
  const before = useRef({ first: '', contentHeight: 0, shown });
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { first: lines[0]?.key ?? '', contentHeight, shown };
    // Mostly the first line is the first still: then nothing is walked.
    if (shown === null || last.shown !== shown || lines.findIndex(({ key }) => key === last.first) <= 0) return;
    scroller.current?.scrollBy({ top: contentHeight - last.contentHeight });
  });
}
