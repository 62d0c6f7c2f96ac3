import { expect, test } from 'vitest';
import type { KeyPress } from '../../parts/keys.ts';
import { sends } from './sendKey.ts';

const enter = (more: Partial<KeyPress> = {}): KeyPress => ({
  key: 'Enter',
  code: 'Enter',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

test('Enter sends', () => expect(sends(enter())).toBe(true));
test('Shift+Enter is a new line', () => expect(sends(enter({ shiftKey: true }))).toBe(false));
test('Enter never sends while an input method composes', () => expect(sends(enter({ isComposing: true }))).toBe(false));
test('nor does the Enter that ends the composition, which Safari reports as key 229', () =>
  expect(sends(enter({ keyCode: 229 }))).toBe(false));
