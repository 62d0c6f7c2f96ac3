import { describe, expect, test } from 'vitest';
import { type KeyPress, keysText, matchesKeys } from './keys.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe('a shortcut', () => {
  test('mod is Ctrl, and ⌘ on a Mac', () => {
    expect({
      ctrl: matchesKeys('mod+k', press('k', { ctrlKey: true }), false),
      cmd: matchesKeys('mod+k', press('k', { metaKey: true }), true),
      ctrlOnMac: matchesKeys('mod+k', press('k', { ctrlKey: true }), true),
      bare: matchesKeys('mod+k', press('k'), false),
    }).toEqual({ ctrl: true, cmd: true, ctrlOnMac: false, bare: false });
  });
  test('is exact about the other modifiers', () => {
    expect(matchesKeys('mod+k', press('K', { ctrlKey: true, shiftKey: true }), false)).toBe(false);
  });
  test('with Alt is known by the place of the key, where Alt changes its letter', () => {
    expect(matchesKeys('alt+n', press('˜', { altKey: true, code: 'KeyN' }), true)).toBe(true);
  });
  test('is never taken from an input method', () => {
    expect([
      matchesKeys('mod+k', press('k', { ctrlKey: true, isComposing: true }), false),
      matchesKeys('mod+k', press('k', { ctrlKey: true, keyCode: 229 }), false),
    ]).toEqual([false, false]);
  });
  test('reads as people write it', () => {
    expect([keysText('mod+shift+k', true), keysText('mod+enter', false)]).toEqual(['⌘⇧K', 'Ctrl+Enter']);
  });
});
