import { isRecord } from '../engine/base/jsonFile.ts';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
/** What is kept of a window between two starts. */
export interface KeptWindow {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
  readonly fullScreen: boolean;
}

/** Reads what an earlier start kept; undefined for anything odd. */
export function keptWindowOf(value: unknown): KeptWindow | undefined {
  if (!isRecord(value) || !isRecord(value['bounds'])) return undefined;
  const { x, y, width, height } = value['bounds'];
  const isCoordinate = (one: unknown): one is number =>
    typeof one === 'number' && Number.isInteger(one) && Math.abs(one) <= 100_000;
  if (!isCoordinate(x) || !isCoordinate(y) || !isCoordinate(width) || !isCoordinate(height)) return undefined;
  if (width < 1 || height < 1) return undefined;
  return {
    bounds: { x, y, width, height },
    maximized: value['maximized'] === true,
    fullScreen: value['fullScreen'] === true,
  };
}

export const smallest = { width: 1024, height: 700 } as const;
const usual = { width: 1440, height: 900 } as const;
/** So much of the title bar must be on a display that a person can take hold of the window. */
const grip = { width: 120, height: 30 } as const;

/**
 * Where a window goes: where it was, when a display still shows its title bar; else in the middle of the first display,
 * no larger than that. A further window is moved by a step, so that it does not hide the one before it.
 */
export function placeWindow(
  kept: Rectangle | undefined,
  displays: readonly Rectangle[],
  others: readonly Rectangle[],
): Rectangle {
  const [first = { x: 0, y: 0, ...usual }] = displays;
  const at = kept && displays.some((area) => showsTitle(kept, area)) ? kept : centred(kept ?? usual, first);
  const taken = others.some(({ x, y }) => Math.abs(x - at.x) < 10 && Math.abs(y - at.y) < 10);
  return taken ? placeWindow({ ...at, x: at.x + 30, y: at.y + 30 }, displays, []) : at;
}

function showsTitle({ x, y, width }: Rectangle, area: Rectangle): boolean {
  const across = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  const isInside = y >= area.y && y + grip.height <= area.y + area.height;
  return isInside && across >= Math.min(width, grip.width);
}

function centred(size: { readonly width: number; readonly height: number }, area: Rectangle): Rectangle {
  const width = Math.min(Math.max(size.width, smallest.width), area.width);
  const height = Math.min(Math.max(size.height, smallest.height), area.height);
  return {
    x: area.x + Math.round((area.width - width) / 2),
    y: area.y + Math.round((area.height - height) / 2),
    width,
    height,
  };
}
