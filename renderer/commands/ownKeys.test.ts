import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { keysOf, keysTakenBy, withKeys } from './ownKeys.ts';

const command = (id: string) => {
  const found = commands.find((one) => one.id === id);
  if (!found) throw new Error(`no command ${id}`);
  return found;
};
const shell = command('newShell');

test('keys of one’s own count in place of the usual, and none means none', () => {
  expect(keysOf(shell, {})).toBe('alt+t');
  expect(keysOf(shell, { newShell: 'mod+shift+s' })).toBe('mod+shift+s');
  expect(keysOf(shell, { newShell: '' })).toBeUndefined();
});

test('the usual keys need no entry', () => {
  const own = withKeys({}, shell, 'mod+shift+s');
  expect(own).toEqual({ newShell: 'mod+shift+s' });
  expect(withKeys(own, shell, 'alt+t')).toEqual({});
  expect(withKeys(own, shell, '')).toEqual({ newShell: '' });
});

test('keys that another command has are not given twice, neither in the window nor from inside a shell', () => {
  const takenBy = (keys: string, own = {}) => {
    const found = keysTakenBy(keys, 'newShell', own, false);
    return typeof found === 'object' ? found.id : found;
  };
  expect(takenBy('mod+p')).toBe('quickOpen');
  // From inside a shell Alt+N is pressed with Shift.
  expect(takenBy('alt+shift+n')).toBe('newSession');
  expect(takenBy('mod+p', { quickOpen: 'mod+shift+y' })).toBeUndefined();
  expect(takenBy('mod+y', { quickOpen: 'mod+y' })).toBe('quickOpen');
  expect(takenBy('alt+t')).toBeUndefined();
  expect(takenBy('mod+c')).toBe('elsewhere');
  expect(takenBy('mod+enter')).toBe('elsewhere');
});
