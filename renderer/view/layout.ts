import * as z from 'zod';
import { create } from 'zustand';
import { keptStore } from './keptStore.ts';

export const rightTabs = ['review', 'files', 'plan', 'browser'] as const;
export type RightTab = (typeof rightTabs)[number];
/** The panel on show where the window is narrow. */
export type Pane = 'left' | 'talk' | 'right' | 'console';

/** Which sides are open, and the tab of the right one. */
export const useLayout = keptStore(
  'vise.layout',
  z.object({
    right: z.enum(rightTabs).catch('review'),
    showLeft: z.boolean().catch(true),
    showConsole: z.boolean().catch(true),
  }),
);

interface Focus {
  readonly pane: Pane;
  /** The right side takes the room of the conversation too. */
  readonly wide: boolean;
}

/** What the window gives its room to just now; a reload begins with the usual. */
export const useRoom = create<Focus>(() => ({ pane: 'talk', wide: false }));

/** Brings a panel into sight, wherever the layout has it. */
export function reveal(pane: Pane, right?: RightTab): void {
  useRoom.setState(({ wide }) => ({ pane, wide: wide && pane !== 'talk' }));
  if (pane === 'left') useLayout.setState({ showLeft: true });
  if (pane === 'console') useLayout.setState({ showConsole: true });
  if (right) useLayout.setState({ right });
}

/** Opens or closes a side. In a narrow window, which shows one panel, it is shown, and left again for the conversation. */
export function toggleSide(pane: 'left' | 'console'): void {
  useRoom.setState((room) => ({ pane: room.pane === pane ? 'talk' : pane }));
  useLayout.setState(({ showLeft, showConsole }) =>
    pane === 'left' ? { showLeft: !showLeft } : { showConsole: !showConsole },
  );
}

export function toggleWide(): void {
  useRoom.setState(({ wide }) => ({ wide: !wide }));
}
