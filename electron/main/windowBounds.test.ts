import { expect, test } from 'vitest';
import { keptWindowOf, placeWindow } from './windowBounds.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const right = { x: 1920, y: 0, width: 1920, height: 1080 };
const kept = { x: 2000, y: 100, width: 1200, height: 800 };

test('a window goes where it was while that display is there', () => {
  expect(placeWindow(kept, [screen, right], [])).toEqual(kept);
});

test('of a display that was unplugged it comes to the middle of the first one, in its own size', () => {
  expect(placeWindow(kept, [screen], [])).toEqual({ x: 360, y: 140, width: 1200, height: 800 });
});

test('a title bar that nobody could reach counts as gone', () => {
  for (const lost of [
    { ...kept, x: 100, y: -40 },
    { ...kept, x: 100, y: 1070 },
    { ...kept, x: 1850 },
    { ...kept, x: -1150 },
  ])
    expect(placeWindow(lost, [screen], []).x).toBe(360);
});

test('nothing kept gives the usual size, and a small display all of it', () => {
  expect(placeWindow(undefined, [screen], [])).toEqual({ x: 240, y: 90, width: 1440, height: 900 });
  expect(placeWindow(undefined, [{ x: 0, y: 25, width: 1280, height: 720 }], [])).toEqual({
    x: 0,
    y: 25,
    width: 1280,
    height: 720,
  });
});

test('a further window does not hide the one before it', () => {
  expect(placeWindow(kept, [screen, right], [kept])).toEqual({ ...kept, x: 2030, y: 130 });
});

test('what does not fit counts as nothing kept', () => {
  const bounds = { x: 1, y: 2, width: 3, height: 4 };
  expect(keptWindowOf({ bounds })).toEqual({ bounds, maximized: false, fullScreen: false });
  for (const odd of [
    undefined,
    [],
    { bounds: null },
    { bounds: { ...bounds, x: '1' } },
    { bounds: { ...bounds, width: 0 } },
    { bounds: { ...bounds, y: 1e9 } },
  ])
    expect(keptWindowOf(odd)).toBeUndefined();
});
