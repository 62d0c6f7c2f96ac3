import { expect, test } from 'vitest';
import { createDeferred } from '../base/deferred.ts';
import { atOnce } from './atOnce.ts';

test('so many are under way and no more, begun in order', async () => {
  const log: string[] = [];
  const gates = [0, 1, 2].map(() => createDeferred<undefined>());
  const done = atOnce(2, gates, async (gate) => {
    const index = gates.indexOf(gate);
    log.push(`begin ${index}`);
    await gate.promise;
    log.push(`end ${index}`);
  });
  gates[1]?.resolve(undefined);
  await gates[1]?.promise;
  gates[2]?.resolve(undefined);
  gates[0]?.resolve(undefined);
  await done;
  expect(log.slice(0, 3)).toEqual(['begin 0', 'begin 1', 'end 1']);
  expect(log.toSorted()).toEqual(['begin 0', 'begin 1', 'begin 2', 'end 0', 'end 1', 'end 2']);
});

test('it fails when nothing is under way any more, and begins nothing after a failure', async () => {
  const gate = createDeferred<undefined>();
  const log: string[] = [];
  const done = atOnce(2, ['slow', 'bad', 'never'], async (what) => {
    log.push(what);
    if (what === 'bad') {
      gate.resolve(undefined);
      throw new Error('bad');
    }
    await gate.promise;
    log.push('slow ended');
  });
  await expect(done).rejects.toThrow('bad');
  expect(log).toEqual(['slow', 'bad', 'slow ended']);
});
