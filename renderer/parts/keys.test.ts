import { describe, expect, test } from 'vitest';
import { isText, type KeyPress, keysInShell, keysOfPress, keysText, matchesKeys } from './keys.ts';

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
  test.each<[string, string, string, boolean]>([
    ['Polish ⌥Z', 'ż', 'KeyZ', true],
    ['German ⌥N', 'Dead', 'KeyN', true],
    ['French ⌥1', '\u00a1', 'Digit1', true],
    ['US ⌥T', '†', 'KeyT', true],
  ])('%s writes a character on a Mac: in a field it is text, elsewhere a command', (_, key, code, isMacHere) => {
    const keys = `alt+${code.at(-1)?.toLowerCase()}`;
    expect({
      inField: isText(keys, isMacHere, true),
      elsewhere: isText(keys, isMacHere, false),
      onLinux: isText(keys, false, true),
      isPressed: matchesKeys(keys, press(key, { altKey: true, code }), true),
    }).toEqual({ inField: true, elsewhere: false, onLinux: false, isPressed: true });
  });
  test('with ⌘ is a command in a field too', () => expect(isText('mod+i', true, true)).toBe(false));
  test.each<[string, string, string, readonly string[]]>([
    ['Dvorak, where the place of N writes b', 'b', 'KeyN', ['alt+b']],
    ['AZERTY, where the place of Z writes w', 'w', 'KeyZ', ['alt+w']],
    ['QWERTZ, where the place of Y writes z', 'z', 'KeyY', ['alt+z']],
    ['Cyrillic, where the place of N writes т', 'т', 'KeyN', ['alt+n']],
    ['kana, where the place of T writes か', 'か', 'KeyT', ['alt+t']],
  ])('is the letter that the layout writes: %s', (_, key, code, expected) => {
    const all = ['alt+b', 'alt+n', 'alt+t', 'alt+w', 'alt+y', 'alt+z'];
    expect(all.filter((keys) => matchesKeys(keys, press(key, { altKey: true, code }), false))).toEqual(expected);
  });
  test('AltGr, which Windows tells as Ctrl and Alt, is no Alt', () => {
    expect(matchesKeys('alt+z', press('ż', { altKey: true, ctrlKey: true, code: 'KeyZ' }), false)).toBe(false);
  });
  test('leaves a shell its keys, and reaches the window with Shift; on a Mac ⌘ is no key of a shell', () => {
    expect(['mod+k', 'alt+t', 'mod+backquote', 'mod+.'].map((keys) => keysInShell(keys, false))).toEqual([
      'mod+shift+k',
      'alt+shift+t',
      'mod+backquote',
      'mod+.',
    ]);
    expect(keysInShell('mod+k', true)).toBe('mod+k');
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

test.each<[string, KeyPress, boolean, string | undefined]>([
  ['Ctrl+Shift+S', press('S', { ctrlKey: true, shiftKey: true, code: 'KeyS' }), false, 'mod+shift+s'],
  ['⌘S', press('s', { metaKey: true, code: 'KeyS' }), true, 'mod+s'],
  ['⌥N on a Mac', press('˜', { altKey: true, code: 'KeyN' }), true, 'alt+n'],
  ['Ctrl+Ж', press('ж', { ctrlKey: true, code: 'Semicolon' }), false, 'mod+ж'],
  ['F6', press('F6', { code: 'F6' }), false, 'f6'],
  ['Ctrl+`', press('`', { ctrlKey: true, code: 'Backquote' }), false, 'mod+backquote'],
  ['Alt+↓', press('ArrowDown', { altKey: true, code: 'ArrowDown' }), false, 'alt+arrowdown'],
  ['a letter alone', press('s', { code: 'KeyS' }), false, undefined],
  ['Ctrl alone', press('Control', { ctrlKey: true }), false, undefined],
  ['Ctrl+Tab', press('Tab', { ctrlKey: true }), false, undefined],
  ['a key of an input method', press('Process', { ctrlKey: true, keyCode: 229 }), false, undefined],
])('%s is read as the shortcut that it is pressed by', (_, pressed, mac, keys) => {
  expect(keysOfPress(pressed, mac)).toBe(keys);
  if (keys !== undefined) expect(matchesKeys(keys, pressed, mac)).toBe(true);
});
