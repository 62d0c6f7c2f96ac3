import type { DesktopMessage, PageMessage } from '../../shared/contract/desktopMessage.ts';

/** The desktop around this page; undefined where a browser shows it. */
export const desktop = typeof window === 'undefined' ? undefined : window.bridge;

export function tellDesktop(message: PageMessage): void {
  desktop?.tellDesktop(message);
}

/** Listens to what the desktop wants of the page; returns the way to stop. Its messages are the program's own. */
export function onDesktop(listen: (message: DesktopMessage) => void): () => void {
  return desktop?.onDesktop((message) => listen(message as DesktopMessage)) ?? (() => undefined);
}
