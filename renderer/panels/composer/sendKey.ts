import { isComposing, type KeyPress } from '../../parts/keys.ts';

/** Whether this Enter sends: never while an input method composes, never with Shift or Alt (a new line). */
export function sends(press: KeyPress): boolean {
  return press.key === 'Enter' && !press.shiftKey && !press.altKey && !isComposing(press);
}
