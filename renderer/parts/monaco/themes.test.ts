import { expect, test } from 'vitest';
import { themes } from './themes.ts';

type Rgb = readonly [number, number, number];

const hex = (color: string, at: number): number => Number.parseInt(color.replace('#', '').slice(at, at + 2), 16);
const rgb = (color: string): Rgb => [hex(color, 0), hex(color, 2), hex(color, 4)];
const over = (ground: Rgb, tint: string): Rgb => {
  const alpha = hex(tint, 6) / 255;
  const [r, g, b] = rgb(tint);
  const mix = (below: number, above: number): number => below + (above - below) * alpha;
  return [mix(ground[0], r), mix(ground[1], g), mix(ground[2], b)];
};
/** Of WCAG 2.2. */
const luminance = (color: Rgb): number => {
  const [r = 0, g = 0, b = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one: Rgb, other: Rgb): number => {
  const both = [luminance(one), luminance(other)];
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
};

test.each([
  ['vise-dark', 4.5],
  ['vise-light', 4.5],
  ['vise-contrast', 7],
])('in %s each colour of words has a contrast of %d on the tints of a diff', (name, least) => {
  const colors: Readonly<Record<string, string>> = themes[name]?.colors ?? {};
  const rules = themes[name]?.rules ?? [];
  const color = (id: string): string => `${colors[id] ?? ''}`;
  const grounds = ['inserted', 'removed'].map((kind) =>
    over(
      over(rgb(color('editor.background')), color(`diffEditor.${kind}LineBackground`)),
      color(`diffEditor.${kind}TextBackground`),
    ),
  );
  const words = [...rules, { token: 'words', foreground: color('editor.foreground') }];
  const pale = words.flatMap(({ token, foreground = '' }) =>
    grounds.filter((ground) => contrast(rgb(foreground), ground) < least).map(() => token),
  );
  expect([rules.length > 0, pale]).toEqual([true, []]);
});
