import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCache } from '../../cache/createCache.ts';
import { ManualClock } from '../../testing/manualClock.ts';
import { silentLog } from '../../testing/silentLog.ts';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import type { Tool } from '../frame/tool.ts';
import { createCacheTools } from './cacheTools.ts';

async function cacheTrial(file = join(testFolder(), 'cache.db')) {
  const cache = createCache({ file, clock: new ManualClock(Date.parse('2026-01-01T00:00:00Z')), log: silentLog });
  onTestFinished(() => cache.dispose());
  const tools = createCacheTools(cache);
  const { tool } = await tryIn(testFolder());
  return (name: string, input: unknown = {}) => tool(tools.find((one) => one.name === name) as Tool, input);
}

test('a text is kept, found, listed, counted and forgotten', async () => {
  const call = await cacheTrial();
  const times = { storedAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-02T00:00:00.000Z' };
  expect(await call('cache_store', { key: 'k', value: 'v' })).toEqual({
    success: true,
    data: { key: 'k', tier: 'project', expiresAt: times.expiresAt, replaced: false },
  });
  expect(await call('cache_retrieve', { key: 'k' })).toEqual({
    success: true,
    data: { key: 'k', found: true, value: 'v', tier: 'project', ...times },
  });
  expect(await call('cache_keys', { pattern: '*' })).toEqual({
    success: true,
    data: { keys: [{ key: 'k', tier: 'project', ...times }], count: 1 },
  });
  expect(await call('cache_stats')).toEqual({
    success: true,
    data: {
      tiers: {
        reasoning: { entries: 0, sizeBytes: 0, maxEntries: 100 },
        project: { entries: 1, sizeBytes: 2, maxEntries: 500, oldest: times.storedAt, newest: times.storedAt },
        vault: { entries: 0, sizeBytes: 0, maxEntries: 1_000 },
      },
      totalEntries: 1,
      hits: 1,
      misses: 0,
    },
  });
  expect(await call('cache_delete', { key: 'k' })).toEqual({ success: true, data: { key: 'k', deleted: true } });
  expect(await call('cache_delete', { key: 'k' })).toEqual({ success: true, data: { key: 'k', deleted: false } });
  expect(await call('cache_retrieve', { key: 'k' })).toEqual({ success: true, data: { key: 'k', found: false } });
  expect(await call('cache_clear')).toEqual({ success: true, data: { deleted: 0, tier: 'all' } });
  expect(await call('cache_clear', { tier: 'vault' })).toEqual({ success: true, data: { deleted: 0, tier: 'vault' } });
});

test('what had to make room is named', async () => {
  const call = await cacheTrial();
  for (let at = 0; at < 100; at += 1) await call('cache_store', { key: `k${at}`, value: '', tier: 'reasoning' });
  expect(await call('cache_store', { key: 'more', value: '', tier: 'reasoning' })).toMatchObject({
    data: { evicted: ['k0'], evictedCount: 1 },
  });
});

test('J5: keys, values, times and patterns beyond their limits are refused', async () => {
  const call = await cacheTrial();
  const codeOf = async (name: string, input: unknown) =>
    ((await call(name, input)) as { error?: { code: string } }).error?.code;
  for (const name of ['cache_store', 'cache_retrieve', 'cache_delete'])
    expect(await codeOf(name, { key: ' \n', value: '' })).toBe('EMPTY_KEY');
  expect(await codeOf('cache_store', { key: 'x'.repeat(513), value: '' })).toBe('VALIDATION_ERROR');
  expect(await codeOf('cache_store', { key: '😀'.repeat(512), value: '' })).toBeUndefined();
  expect(await codeOf('cache_store', { key: 'k', value: 'x'.repeat(5 * 1024 * 1024 + 1) })).toBe('VALUE_TOO_LARGE');
  expect(await codeOf('cache_store', { key: 'k', value: 'x'.repeat(5 * 1024 * 1024) })).toBeUndefined();
  for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e15, '1'])
    expect(await codeOf('cache_store', { key: 'k', value: '', ttl })).toBe('VALIDATION_ERROR');
  expect(await codeOf('cache_store', { key: 'k', value: '', tier: 'other' })).toBe('VALIDATION_ERROR');
  expect(await codeOf('cache_store', { key: '\ud800', value: '' })).toBe('VALIDATION_ERROR');
  expect(await codeOf('cache_store', { key: 'k' })).toBe('VALIDATION_ERROR');
  expect(await codeOf('cache_keys', { pattern: '*'.repeat(1_025) })).toBe('VALIDATION_ERROR');
});

test('a cache that cannot be opened says so and breaks nothing', async () => {
  const call = await cacheTrial(join(testFolder({ file: '' }), 'file', 'cache.db'));
  for (const name of ['cache_retrieve', 'cache_delete', 'cache_stats', 'cache_keys', 'cache_clear'])
    expect(await call(name, { key: 'k' })).toMatchObject({ success: false, error: { code: 'UNAVAILABLE' } });
});
