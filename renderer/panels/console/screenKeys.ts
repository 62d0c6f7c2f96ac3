import { type KeyPress, matchesKeys } from '../../parts/keys.ts';

export type ScreenAction = 'copy' | 'selectAll' | 'selectUp' | 'selectDown' | 'find' | 'paste';

/**
 * What a key means to the screen rather than to the program behind it. `copy` takes Ctrl+C only while something is selected;
 * otherwise that key is the program's. `paste` is left to the browser, which knows the clipboard.
 */
export function screenAction(
  press: KeyPress,
  hasSelection: boolean,
  mac: boolean,
  inShell = false,
): ScreenAction | undefined {
  const is = (keys: string): boolean => matchesKeys(keys, press, mac);
  // In a shell of the person's own Ctrl+F is the shell's; with Shift it searches.
  if (is(inShell && !mac ? 'mod+shift+f' : 'mod+f')) return 'find';
  if (hasSelection && (is('mod+c') || is('mod+shift+c'))) return 'copy';
  if (is(mac ? 'mod+a' : 'mod+shift+a')) return 'selectAll';
  if (is('mod+shift+arrowup')) return 'selectUp';
  if (is('mod+shift+arrowdown')) return 'selectDown';
  if (is('mod+v') || is('mod+shift+v')) return 'paste';
  return undefined;
}
