import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Connection } from '../../shared/contract/connection.ts';
import { createReconnectingClient } from '../client/reconnectingClient.ts';
import { follow } from '../mirror/follow.ts';
import { browserFrames } from '../mirror/restingFrames.ts';
import { App } from './App.tsx';
import { followShown } from './followShown.ts';

/** Joins connection, mirror and window; the page starts here. */
export function start(place: HTMLElement, open: () => Connection): void {
  const engine = createReconnectingClient({
    open,
    now: Date.now,
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
  });
  keepQuietAboutLostLoads();
  const follower = follow(engine.client, browserFrames);
  followShown(follower);
  engine.start(() => follower.refresh());
  createRoot(place).render(
    <StrictMode>
      <App client={follower.client} onRetry={engine.retryNow} />
    </StrictMode>,
  );
}

/**
 * A worker or a chunk of the editor that cannot be loaded because the host has gone is reported by the browser as a bare
 * event, thrown somewhere inside the editor. The banner tells of the lost host already; anything else stays an error.
 */
function keepQuietAboutLostLoads(): void {
  window.addEventListener('error', (event) => {
    if (event.error instanceof Event) event.preventDefault();
  });
  window.addEventListener('unhandledrejection', (event) => {
    if (event.reason instanceof Event) event.preventDefault();
  });
}
