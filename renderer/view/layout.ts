import * as z from 'zod';
import { create } from 'zustand';
import { keptStore } from './keptStore.ts';

export const rightTabs = ['review', 'files', 'plan', 'git', 'browser'] as const;
export type RightTab = (typeof rightTabs)[number];
/** The panel on show where the window is narrow. */
export type Pane = 'left' | 'talk' | 'right' | 'console';

const layoutSchema = z.object({
  right: z.enum(rightTabs).catch('review'),
  /** `auto`: while there is something to review. */
  rightSide: z.enum(['auto', 'shown', 'hidden']).catch('auto'),
  showLeft: z.boolean().catch(true),
  showConsole: z.boolean().catch(true),
});
type Layout = z.infer<typeof layoutSchema>;

/** Which sides are open, and the tab of the right one. */
export const useLayout = keptStore('vise.layout', layoutSchema);

const mostRemembered = 50;
/** The layout that each project was left with, oldest first. */
const useLayouts = keptStore('vise.layouts', z.object({ left: z.record(z.string(), layoutSchema).catch({}) }));

/** Leaves a project with its layout, and brings the one that the other was left with; a new one begins as this is. */
export function changeLayout(from: string | null, to: string | null): void {
  if (from === to) return;
  const { left } = useLayouts.getState();
  if (from !== null) {
    const others = Object.entries(left).filter(([project]) => project !== from);
    const now = [...others, [from, useLayout.getState()] as const];
    useLayouts.setState({ left: Object.fromEntries(now.slice(-mostRemembered)) });
  }
  const known = to === null ? undefined : left[to];
  if (known) useLayout.setState(known);
}

const presets = {
  talk: { rightSide: 'hidden', showLeft: false, showConsole: false },
  review: { right: 'review', rightSide: 'shown', showLeft: false, showConsole: false },
  all: { rightSide: 'shown', showLeft: true, showConsole: true },
} as const satisfies Readonly<Record<string, Partial<Layout>>>;

/** Arranges the sides for one kind of work. */
export function arrange(preset: keyof typeof presets): void {
  useRoom.setState({ pane: preset === 'review' ? 'right' : 'talk', wide: false });
  useLayout.setState(presets[preset]);
}

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
  if (right) useLayout.setState({ right, rightSide: 'shown' });
}

/** Opens or closes a side. In a narrow window, which shows one panel, it is shown, and left again for the conversation. */
export function toggleSide(pane: 'left' | 'console'): void {
  useRoom.setState((room) => ({ pane: room.pane === pane ? 'talk' : pane }));
  useLayout.setState(({ showLeft, showConsole }) =>
    pane === 'left' ? { showLeft: !showLeft } : { showConsole: !showConsole },
  );
}

export function toggleRight(isShown: boolean): void {
  useRoom.setState(({ pane }) => ({ pane: pane === 'right' ? 'talk' : 'right', wide: false }));
  useLayout.setState({ rightSide: isShown ? 'hidden' : 'shown' });
}

export function toggleWide(): void {
  useRoom.setState(({ wide }) => ({ wide: !wide }));
  useLayout.setState({ rightSide: 'shown' });
}
