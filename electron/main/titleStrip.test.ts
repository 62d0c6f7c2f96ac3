import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { titleStripOf, titleStrips } from './titleStrip.ts';

const root = join(import.meta.dirname, '..', '..');

/** A role of the page's theme as a colour. */
function roleOf(selector: string, role: string): string | undefined {
  const css = readFileSync(join(root, 'renderer', 'theme', 'tokens.css'), 'utf8');
  const block = css.slice(css.indexOf(`\n${selector} {`)).split('}')[0] ?? '';
  const value = new RegExp(`--${role}: ([^;]+);`).exec(block)?.[1];
  const [, scale] = /^var\(--(slate-\d+)\)$/.exec(value ?? '') ?? [];
  if (scale === undefined) return value;
  const slate = readFileSync(join(root, 'node_modules', '@radix-ui', 'colors', 'slate.css'), 'utf8');
  return new RegExp(`--${scale}: (#\\w+);`).exec(slate)?.[1];
}

test.each([
  ['light', ':root'],
  ['dark', '.dark'],
  ['contrast', '.contrast'],
] as const)('in the %s theme the system draws its buttons on the colour of the header', (theme, selector) => {
  expect(titleStrips[theme]).toEqual({ color: roleOf(selector, 'frame'), symbolColor: roleOf(selector, 'text') });
});

test('the strip is that of the theme chosen, else that of the system, whose high contrast goes first', () => {
  const system = { shouldUseDarkColors: false, shouldUseHighContrastColors: true };
  expect(titleStripOf('system', system)).toBe(titleStrips.contrast);
  expect(titleStripOf('light', system)).toBe(titleStrips.light);
  const calm = { shouldUseDarkColors: true, shouldUseHighContrastColors: false };
  expect(titleStripOf('contrast', calm)).toBe(titleStrips.contrast);
  expect(titleStripOf('system', calm)).toBe(titleStrips.dark);
  expect(titleStripOf('system', { ...calm, shouldUseDarkColors: false })).toBe(titleStrips.light);
});
