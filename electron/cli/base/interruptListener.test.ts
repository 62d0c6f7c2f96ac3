import { expect, test } from 'vitest';
import { interruptListener } from './interruptListener.ts';

function hear(...timesMs: readonly number[]): readonly string[] {
  const done: string[] = [];
  let at = 0;
  const listener = interruptListener(
    () => done.push(`stop at ${at}`),
    () => done.push(`give up at ${at}`),
    () => at,
  );
  for (const time of timesMs) {
    at = time;
    listener();
  }
  return done;
}

test('the first interrupt stops what runs', () => expect(hear(1000)).toEqual(['stop at 1000']));

test('its echo through a launcher does not end the program before it has cleaned up', () =>
  expect(hear(1000, 1005)).toEqual(['stop at 1000']));

test('a second press ends it at once', () =>
  expect(hear(1000, 1005, 1500)).toEqual(['stop at 1000', 'give up at 1500']));
