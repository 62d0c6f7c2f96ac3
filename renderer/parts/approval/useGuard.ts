import { useEffect, useLayoutEffect, useState } from 'react';
import { type ApprovalGuard, createApprovalGuard } from './guard.ts';

/** One guard a window: a card that moves because another went away is as new to the eye as one that appears. */
const guard: ApprovalGuard = createApprovalGuard();

if (typeof window !== 'undefined') {
  const disturb = (): void => guard.disturbed(performance.now());
  window.addEventListener('focus', disturb);
  window.addEventListener('resize', disturb);
  document.addEventListener('visibilitychange', disturb);
}

/**
 * Guards the buttons of a card. The time asked about is the event's own, not that of its handler: a click queued while
 * the page was busy counts as the early click it was.
 */
export function useGuard(card: string): {
  readonly settled: boolean;
  readonly guarded: (run: () => void) => (event: { readonly timeStamp: number; preventDefault(): void }) => void;
} {
  const [settled, setSettled] = useState(false);
  useLayoutEffect(() => {
    guard.disturbed(performance.now());
    setSettled(false);
    return () => guard.disturbed(performance.now());
  }, [card]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      const left = guard.remaining(performance.now());
      setSettled(left === 0);
      if (left > 0) timer = setTimeout(look, left + 1);
    };
    look();
    window.addEventListener('focus', look);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', look);
    };
  }, [card]);
  return {
    settled,
    guarded: (run) => (event) => {
      if (guard.allows(event.timeStamp)) run();
      else event.preventDefault();
    },
  };
}
