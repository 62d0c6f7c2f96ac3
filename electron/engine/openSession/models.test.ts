import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPlaces } from '../base/places.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { openCapabilities } from './models.ts';

test('what two processes learn of models is kept together, of one model and of several', () => {
  const said: unknown[] = [];
  const log = { warn: (...words: unknown[]) => said.push(words) };
  const ports = { log, places: findPlaces({ VISE_HOME: join(testFolder(), 'home') }) };
  // Each has read the file before the other writes.
  const [one, other] = [openCapabilities(ports)(), openCapabilities(ports)()];
  one.learn('p', 'a', { tools: 'text' });
  other.learn('p', 'b', { dialect: 'responses' });
  other.learn('p', 'a', { temperature: false });
  one.learn('p', 'a', { window: 8_000 });
  const next = openCapabilities(ports)();
  expect([next.get('p', 'a'), next.get('p', 'b'), said]).toEqual([
    { tools: 'text', temperature: false, window: 8_000 },
    { dialect: 'responses' },
    [],
  ]);
});
