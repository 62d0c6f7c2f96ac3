import type { PageMessage } from '../../shared/contract/desktopMessage.ts';
import { createTokenBucket } from '../engine/base/tokenBucket.ts';
import { isWithin } from './frameSize.ts';

/** A whole menu is some 10,000 characters. */
const maxChars = 100_000;
/** A page tells its menus four times a second at most, and everything else at a person's pace. */
const perSecond = 10;
const burst = 100;

interface Contents {
  readonly mainFrame: unknown;
}

/** What is used of Electron: the pipe of all pages, and the window that shows one. */
export interface DesktopPipe<Of extends Contents, Window extends { isDestroyed(): boolean }> {
  readonly pipe: {
    on(
      channel: 'desktop',
      listen: (event: { readonly sender: Of; readonly senderFrame: unknown }, message: unknown) => void,
    ): unknown;
  };
  readonly windowOf: (contents: Of) => Window | null;
  readonly nowMs: () => number;
}

/**
 * Hears what pages say to the desktop around them. Another sender, a frame inside a page, what does not fit the contract
 * and what comes faster than any page of ours speaks are dropped (S1, S4). The schemas come with the first message, which
 * no window waits for.
 */
export function onPageMessage<Of extends Contents, Window extends { isDestroyed(): boolean }>(
  { pipe, windowOf, nowMs }: DesktopPipe<Of, Window>,
  listen: (window: Window, message: PageMessage) => void,
): void {
  const budgets = new WeakMap<Of, () => boolean>();
  pipe.on('desktop', ({ sender, senderFrame }, message) => {
    const window = windowOf(sender);
    if (window === null || senderFrame !== sender.mainFrame) return;
    const mayPass = budgets.get(sender) ?? createTokenBucket(burst, perSecond, nowMs);
    budgets.set(sender, mayPass);
    if (!mayPass() || !isWithin(message, maxChars)) return;
    void import('../../shared/contract/desktopMessage.ts').then(({ pageMessage }) => {
      const known = pageMessage.safeParse(message);
      if (known.success && !window.isDestroyed()) listen(window, known.data);
    });
  });
}
