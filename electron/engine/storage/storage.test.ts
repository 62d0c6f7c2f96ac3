import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testBench } from '../testing/engineForTest.ts';
import { createContents } from '../workspace/contents.ts';
import { cleanStorage } from './cleanStorage.ts';
import { contentIdsIn } from './contentIds.ts';
import { readStorage } from './readStorage.ts';

const days = 24 * 3_600_000;

test('what nothing names is removed once it is old; what a journal names stays, and undo still works', async () => {
  const bench = testBench({ 'a.txt': 'old\n' }, { allow: 'dangerous' });
  const edit = { tool: 'write_file', input: { filePath: 'a.txt', content: 'new\n' } };
  const session = await bench.session([{ calls: [edit] }, { text: 'Done.' }]);
  await session.say('Edit.');
  const state = join(bench.home, 'state');
  const place = join(state, 'sessions', session.id);
  const contents = createContents({ folder: join(place, 'contents') });
  const unnamed = await contents.put(Buffer.from('nobody names this'));
  const named = await contentIdsIn(join(place, 'journal.jsonl'));
  expect(unnamed.ok && named.has(unnamed.value)).toBe(false);
  expect(named.size).toBeGreaterThanOrEqual(2);
  // Single calls, outputs of a session that is gone, and what a killed write left.
  const single = createContents({ folder: join(state, 'contents') });
  await single.put(Buffer.from('of a single call'));
  mkdirSync(join(state, 'tasks', 'p', 'gone'), { recursive: true });
  const log = join(state, 'tasks', 'p', 'gone', 't.log');
  writeFileSync(log, 'output');
  utimesSync(log, 1, 1);
  writeFileSync(join(place, '.draft.4194301-0123456789abcdef.tmp'), 'torn');
  writeFileSync(join(place, `.draft.${process.pid}-0123456789abcdef.tmp`), 'under way');

  const before = await readStorage(state, bench.engine.sessions.list());
  expect(before.sessions).toMatchObject([{ id: session.id, title: 'Edit.', project: bench.project }]);
  expect(before.kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['sessions', 'callContents', 'outputs']));

  const clean = (now: number) =>
    cleanStorage({
      state,
      config: join(bench.home, 'config'),
      now,
      limits: { keepDays: 30, maxOutputMb: 1000 },
      runs: () => false,
    });
  expect(await clean(Date.now())).toMatchObject({ contents: 0, callContents: 0, outputs: 6, leftovers: 4 });
  expect(readdirSync(place).filter((name) => name.endsWith('.tmp'))).toEqual([
    `.draft.${process.pid}-0123456789abcdef.tmp`,
  ]);
  expect(await clean(Date.now() + 31 * days)).toMatchObject({ contents: 17, callContents: 16 });
  const changeSet = session.mirror().changeSets[0]?.id ?? '';
  expect((await bench.client.call('change.undo', { session: session.id, changeSet })).ok).toBe(true);
  expect(bench.file('a.txt')).toBe('old\n');
});

test('a journal that cannot be read keeps all of its contents', async () => {
  const bench = testBench({});
  const state = join(bench.home, 'state');
  const place = join(state, 'sessions', 'damaged');
  mkdirSync(join(place, 'journal.jsonl'), { recursive: true });
  const contents = createContents({ folder: join(place, 'contents') });
  const kept = await contents.put(Buffer.from('x'));
  const { contents: freed } = await cleanStorage({
    state,
    config: join(bench.home, 'config'),
    now: Date.now() + 365 * days,
    limits: { keepDays: 1, maxOutputMb: 1 },
    runs: () => false,
  });
  expect(freed).toBe(0);
  expect(kept.ok && (await contents.get(kept.value)).ok).toBe(true);
});

test('the store of a session makes room for itself before it says that it is full', async () => {
  const bench = testBench({});
  const folder = join(bench.home, 'contents');
  let now = Date.now();
  const contents = createContents({ folder, maxBytes: 10, liveIds: async () => new Set(), now: () => now });
  expect((await contents.put(Buffer.from('12345678'))).ok).toBe(true);
  expect(await contents.put(Buffer.from('abcdefgh'))).toMatchObject({ ok: false, error: { code: 'LIMIT_EXCEEDED' } });
  now += 2 * days;
  expect((await contents.put(Buffer.from('abcdefgh'))).ok).toBe(true);
});
