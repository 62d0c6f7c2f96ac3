import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listen: () => void): () => void {
  listeners.add(listen);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, 1000);
  return () => {
    listeners.delete(listen);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The time in whole ticks of a second, one timer for all who show ages. */
export function useNow(): number {
  const time = (): number => now;
  return useSyncExternalStore(subscribe, time, time);
}
