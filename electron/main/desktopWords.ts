import { type DesktopWords, enDesktop } from './enDesktop.ts';
import { zhDesktop } from './zhDesktop.ts';

let spoken = enDesktop;

/** What the desktop says now. Read where it is shown, never kept: the language may change while the app runs. */
export const words = (): DesktopWords => spoken;

/**
 * Speaks the language of the settings from now on; `system` follows the first of the system's that Vise speaks, as the
 * window does. Whether that changed anything.
 */
export function speak(language: string, ofSystem: readonly string[]): boolean {
  const before = spoken;
  const first = language === 'system' ? ofSystem.find((tag) => /^(?:en|zh)\b/i.test(tag)) : language;
  spoken = first !== undefined && /^zh\b/i.test(first) ? zhDesktop : enDesktop;
  return spoken !== before;
}
