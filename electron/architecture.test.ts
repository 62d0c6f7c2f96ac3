import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { rooms, windowFloors } from '../.setup/layerRules.ts';

const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** The cells of the table below a heading, without its head. */
function tableBelow(heading: string): readonly (readonly string[])[] {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const foldersIn = (path: string): ReadonlySet<string> =>
  new Set(
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
  );

const engineRooms = tableBelow('Rooms of the engine');

test('docs/architecture.md names each room of the engine', () => {
  expect(new Set([...engineRooms.map(([name]) => name), 'testing'])).toEqual(foldersIn('electron/engine'));
});

test('it says of each room whom it may import, as the layers test does', () => {
  for (const [at, [name = '', , from = '']] of engineRooms.entries()) {
    const above = engineRooms.slice(0, at).map(([room = '']) => room);
    const named = from === 'nothing' ? [] : from.split(', ');
    const allowed = new Set((rooms[name] ?? []).filter((room) => room !== 'entry'));
    expect({ name, allowed }).toEqual({ name, allowed: new Set(from === 'all above' ? above : named) });
  }
});

test('it names the floors of the window in their order', () => {
  const told = tableBelow('Floors of the window').map(([name]) => name);
  expect(told).toEqual(windowFloors.flat().filter((floor) => floor !== 'entry'));
  expect(new Set([...told, 'public', 'testing'])).toEqual(foldersIn('renderer'));
});

test('what it points at is there', () => {
  const paths = [...page.matchAll(/`((?:electron|shared|renderer|e2e|bench)\/[^`]*)`|\]\(([^)]+)\)/g)].map(
    ([, path, link]) => path ?? `docs/${link}`,
  );
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
