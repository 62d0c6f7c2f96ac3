import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createCache } from '../electron/engine/cache/createCache.ts';
import type { Tier, TierLimits } from '../electron/engine/cache/tiers.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// What one cache get costs (a hit, with its use and the counter written down) among 100,000 entries, against a bare
// SELECT of the same value by primary key in a database of the same size. Target: 0.1 ms.

const entries = isSmoke ? 200 : 100_000;
const gets = isSmoke ? 50 : 2_000;
const value = 'x'.repeat(200);
const folder = mkdtempSync(join(tmpdir(), 'vise-bench-'));
const limit: TierLimits = { ttlMs: 3_600_000, maxEntries: entries, maxBytes: 2 ** 40 };
const limits: Readonly<Record<Tier, TierLimits>> = { reasoning: limit, project: limit, vault: limit };
const keyAt = (at: number): string => `key/${(at * 7_919) % entries}`;

try {
  const cache = createCache({
    file: join(folder, 'cache.db'),
    clock: { now: () => Date.now(), monotonicMs: () => performance.now(), after: () => ({ dispose: () => undefined }) },
    log: console,
    limits,
  });
  for (let at = 0; at < entries; at += 1) await cache.store(`key/${at}`, value, 'vault');

  const bare = new DatabaseSync(join(folder, 'bare.db'));
  bare.exec('PRAGMA journal_mode = WAL; CREATE TABLE kept (key TEXT PRIMARY KEY, value TEXT); BEGIN');
  const insert = bare.prepare('INSERT INTO kept VALUES (?, ?)');
  for (let at = 0; at < entries; at += 1) insert.run(`key/${at}`, value);
  bare.exec('COMMIT');
  const select = bare.prepare('SELECT value FROM kept WHERE key = ?');

  const series = await byTurns(20, {
    ours: async () => {
      const started = performance.now();
      for (let at = 0; at < gets; at += 1) {
        const found = await cache.retrieve(keyAt(at));
        if (!found.ok || found.value === null) throw new Error(`${keyAt(at)} is not there`);
      }
      return (performance.now() - started) / gets;
    },
    reference: () => {
      const started = performance.now();
      for (let at = 0; at < gets; at += 1) select.get(keyAt(at));
      return Promise.resolve((performance.now() - started) / gets);
    },
  });
  report(compare('cacheGet', 'ms', series));
  bare.close();
  await cache.dispose();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
