import { execFile } from 'node:child_process';
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import { silentLog } from '../testing/silentLog.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
import type { Cache } from './cache.ts';
import { createCache } from './createCache.ts';
import type { Tier, TierLimits } from './tiers.ts';

const start = 1_700_000_000_000;

function testCache(file = join(testFolder(), 'state', 'cache.db'), limits?: Readonly<Record<Tier, TierLimits>>) {
  const clock = new ManualClock(start);
  const warnings: string[] = [];
  const log = { warn: (what: string) => void warnings.push(what) };
  const cache = createCache({ file, clock, log, ...(limits ? { limits } : {}) });
  onTestFinished(() => cache.dispose());
  return { cache, clock, file, warnings };
}

const keysOf = async (cache: Cache, tier?: Tier, pattern?: string) => {
  const found = await cache.keys(tier, pattern);
  if (!found.ok) throw new Error(found.error.message);
  return found.value.map(({ key }) => key);
};

test('a value comes back with its tier and times, in another process or after a restart too', async () => {
  const { cache, file } = testCache();
  expect(await cache.store('k', '', 'vault', 1_000)).toEqual({
    ok: true,
    value: { expiresAt: start + 1_000, replaced: false, evicted: [] },
  });
  const found = { ok: true, value: { key: 'k', tier: 'vault', storedAt: start, expiresAt: start + 1_000, value: '' } };
  expect(await cache.retrieve('k')).toEqual(found);
  expect(await testCache(file).cache.retrieve('k')).toEqual(found);
  expect(await cache.retrieve('other')).toEqual({ ok: true, value: null });
});

test('the tiers have their own times, and what has expired is absent everywhere', async () => {
  const { cache, clock } = testCache();
  for (const tier of ['reasoning', 'project', 'vault'] as const) await cache.store(tier, 'x', tier);
  clock.advance(5 * 60_000);
  expect(await keysOf(cache)).toEqual(['project', 'vault']);
  expect(await cache.retrieve('reasoning')).toEqual({ ok: true, value: null });
  expect(await cache.delete('reasoning')).toEqual({ ok: true, value: false });
  clock.advance(24 * 3_600_000);
  expect(await cache.stats()).toMatchObject({ value: { tiers: { project: { entries: 0 }, vault: { entries: 1 } } } });
  clock.advance(7 * 24 * 3_600_000);
  expect(await cache.clear()).toEqual({ ok: true, value: 0 });
});

test('a key lies in one tier: storing it in another moves it', async () => {
  const { cache } = testCache();
  await cache.store('k', 'old', 'vault');
  expect(await cache.store('k', 'new', 'reasoning')).toMatchObject({ value: { replaced: true } });
  expect(await keysOf(cache, 'vault')).toEqual([]);
  expect(await cache.retrieve('k')).toMatchObject({ value: { value: 'new', tier: 'reasoning' } });
});

test('keys that look alike are distinct, and patterns are literal but for * and ?', async () => {
  const { cache } = testCache();
  const keys = ['A_B', '[x]', 'a.b', 'a/b', 'a_b', 'axb', '中', 'nul\0a', 'nul\0b', 'nul'].toSorted();
  for (const key of keys) await cache.store(key, `value of ${key}`, 'project');
  for (const key of keys) expect(await cache.retrieve(key)).toMatchObject({ value: { value: `value of ${key}` } });
  expect(await keysOf(cache)).toEqual(keys);
  expect(await keysOf(cache, 'project', 'a.b')).toEqual(['a.b']);
  expect(await keysOf(cache, undefined, 'a?b')).toEqual(['a.b', 'a/b', 'a_b', 'axb']);
  expect(await keysOf(cache, undefined, '[x]')).toEqual(['[x]']);
  expect(await keysOf(cache, 'vault', '*')).toEqual([]);
});

test('the least recently used goes when a tier is full, by number or by bytes, and is named', async () => {
  const small = { ttlMs: 60_000, maxEntries: 2, maxBytes: 20 };
  const { cache } = testCache(undefined, { reasoning: small, project: small, vault: small });
  await cache.store('a', '1', 'project');
  await cache.store('b', '2', 'project');
  await cache.store('other', '2', 'vault');
  await cache.retrieve('a');
  expect(await cache.store('c', '3', 'project')).toMatchObject({ value: { evicted: ['b'] } });
  expect(await keysOf(cache, 'project')).toEqual(['a', 'c']);
  expect(await cache.store('d', 'x'.repeat(18), 'project')).toMatchObject({ value: { evicted: ['a', 'c'] } });
  expect(await cache.store('e', 'x'.repeat(50), 'project')).toMatchObject({ value: { evicted: ['d'] } });
  expect(await keysOf(cache)).toEqual(['e', 'other']);
});

test('hits, misses, entries and bytes are counted, over processes', async () => {
  const { cache, file, clock } = testCache();
  await cache.store('k', '中', 'project');
  clock.advance(10);
  await cache.store('kk', 'x', 'project');
  await cache.retrieve('k');
  await cache.retrieve('nope');
  await testCache(file).cache.retrieve('nope');
  const none = { entries: 0, sizeBytes: 0 };
  expect(await cache.stats()).toEqual({
    ok: true,
    value: {
      hits: 1,
      misses: 2,
      tiers: {
        reasoning: { ...none, maxEntries: 100 },
        project: { entries: 2, sizeBytes: 7, oldest: start, newest: start + 10, maxEntries: 500 },
        vault: { ...none, maxEntries: 1_000 },
      },
    },
  });
  expect(await cache.clear('project')).toEqual({ ok: true, value: 2 });
});

test('several processes write at once and nothing is lost', async () => {
  const { cache, file } = testCache();
  const script = `
    const { createCache } = await import(${JSON.stringify(join(import.meta.dirname, 'createCache.ts'))});
    const log = { warn: (...said) => { throw new Error(said.join(' ')); } };
    const cache = createCache({ file: ${JSON.stringify(file)}, clock: { now: Date.now, monotonicMs: Date.now, after: () => undefined }, log });
    for (let at = 0; at < 60; at += 1) {
      const stored = await cache.store(process.argv[1] + at, 'x'.repeat(1000), 'vault');
      if (!stored.ok) throw new Error(stored.error.message);
    }
    await cache.dispose();`;
  const run = (name: string) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, name]);
  await Promise.all(['a', 'b', 'c'].map(run));
  expect(await cache.stats()).toMatchObject({ value: { tiers: { vault: { entries: 180 } } } });
});

test('a file that is no database is set aside and reported, and the cache goes on', async () => {
  const file = join(testFolder(), 'cache.db');
  writeFileSync(file, 'this is not a database, it only has its name'.repeat(100));
  const { cache, warnings } = testCache(file);
  expect(await cache.store('k', 'v', 'project')).toMatchObject({ ok: true });
  expect(await cache.stats()).toMatchObject({ value: { setAside: `${file}.corrupt-${start}` } });
  expect(existsSync(`${file}.corrupt-${start}`)).toBe(true);
  expect(warnings).toHaveLength(1);
  expect(await cache.retrieve('k')).toMatchObject({ value: { value: 'v' } });
});

test('a database that is damaged later is set aside too, also by many calls at once', async () => {
  const { cache, file, warnings } = testCache();
  for (let at = 0; at < 50; at += 1) await cache.store(`k${at}`, 'x'.repeat(5_000), 'project');
  await cache.dispose();
  truncateSync(file, 8_192);
  const again = testCache(file);
  const results = await Promise.all(['a', 'b', 'c'].map((key) => again.cache.store(key, 'v', 'project')));
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(await keysOf(again.cache)).toEqual(['a', 'b', 'c']);
  expect(again.warnings).toHaveLength(1);
  expect(warnings).toEqual([]);
});

test('a database of a newer version is left alone', async () => {
  const file = join(testFolder(), 'cache.db');
  const newer = new DatabaseSync(file);
  newer.exec('CREATE TABLE future (x); PRAGMA user_version = 99');
  newer.close();
  const { cache } = testCache(file);
  expect(await cache.retrieve('k')).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  expect(readdirSync(join(file, '..'))).toEqual(['cache.db']);
});

test('a place that cannot be written is UNAVAILABLE, a full disk DISK_FULL, a closed cache UNAVAILABLE', async () => {
  const folder = testFolder({ file: '' });
  const { cache } = testCache(join(folder, 'file', 'cache.db'));
  expect(await cache.store('k', 'v', 'project')).toMatchObject({ error: { code: 'UNAVAILABLE' } });
  const limited = testCache();
  await limited.cache.store('k', 'v', 'project');
  await limited.cache.dispose();
  expect(await limited.cache.retrieve('k')).toMatchObject({ error: { code: 'UNAVAILABLE' } });
  const full = createCache({ file: '/dev/full/cache.db', clock: new ManualClock(), log: silentLog });
  expect(await full.store('k', 'v', 'project')).toMatchObject({ ok: false });
});
