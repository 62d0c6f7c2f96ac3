import { fitsWildcard } from '../../../shared/text/wildcard.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Cache, CacheStats, StoredEntry, TierStats } from './cache.ts';
import { createConnection } from './cacheConnection.ts';
import type { CacheDatabase } from './database.ts';
import { type Tier, type TierLimits, tierLimits, tiers } from './tiers.ts';

export interface CacheParts {
  /** Absolute; made with its folder at the first use. */
  readonly file: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Readonly<Record<Tier, TierLimits>>;
}

interface Row {
  readonly id: number;
  readonly key: string;
  readonly tier: Tier;
  readonly stored: number;
  readonly expires: number;
}

/** A cache over one SQLite file. Opens nothing until it is asked something. */
export function createCache(parts: CacheParts): Cache {
  const { clock, log, limits = tierLimits } = parts;
  const connection = createConnection(() => parts.file, clock, log);
  let lastUse = 0;

  /** Strictly rising within the process, so that the order of use is that of the calls. */
  const useMark = (): number => {
    lastUse = Math.max(lastUse + 1, clock.now() * 1_000);
    return lastUse;
  };

  const dropExpired = (database: CacheDatabase, now: number): void => {
    database.statement('DELETE FROM entries WHERE expires <= ?').run(now);
  };

  return {
    store: (key, value, tier, ttlMs = limits[tier].ttlMs) =>
      connection.use((database) =>
        database.transaction(() => {
          const now = clock.now();
          const expiresAt = Math.ceil(now + ttlMs);
          dropExpired(database, now);
          const replaced = database.statement('DELETE FROM entries WHERE key = ?').run(key).changes > 0;
          const size = Buffer.byteLength(key) + Buffer.byteLength(value);
          const { lastInsertRowid: id } = database
            .statement('INSERT INTO entries (key, tier, size, stored, expires, used) VALUES (?, ?, ?, ?, ?, ?)')
            .run(key, tier, size, now, expiresAt, useMark());
          database.statement('INSERT INTO contents (id, value) VALUES (?, ?)').run(id, value);
          return { expiresAt, replaced, evicted: evict(database, tier, limits[tier], Number(id)) };
        }),
      ),

    retrieve: (key) =>
      connection.use((database) =>
        database.transaction(() => {
          const now = clock.now();
          const row = database
            .statement(
              'UPDATE entries SET used = ? WHERE key = ? AND expires > ? RETURNING id, key, tier, stored, expires',
            )
            .get(useMark(), key, now) as Row | undefined;
          if (!row) database.statement('DELETE FROM entries WHERE key = ?').run(key);
          const counter = row ? 'hits' : 'misses';
          database.statement('UPDATE counters SET value = value + 1 WHERE name = ?').run(counter);
          if (!row) return null;
          const content = database.statement('SELECT value FROM contents WHERE id = ?').get(row.id) as {
            value: string;
          };
          return { ...entryOf(row), value: content.value };
        }),
      ),

    delete: (key) =>
      connection.use((database) =>
        database.transaction(() => {
          dropExpired(database, clock.now());
          return database.statement('DELETE FROM entries WHERE key = ?').run(key).changes > 0;
        }),
      ),

    clear: (tier) =>
      connection.use((database) =>
        database.transaction(() => {
          dropExpired(database, clock.now());
          const where = tier === undefined ? '' : 'WHERE tier = ?';
          return Number(
            database.statement(`DELETE FROM entries ${where}`).run(...(tier === undefined ? [] : [tier])).changes,
          );
        }),
      ),

    stats: () =>
      connection.use((database) =>
        database.transaction((): CacheStats => {
          dropExpired(database, clock.now());
          const counted = (name: string) =>
            (database.statement('SELECT value FROM counters WHERE name = ?').get(name) as { value: number }).value;
          const all = tiers.map((tier) => [tier, statsOf(database, tier, limits[tier].maxEntries)] as const);
          return {
            tiers: Object.fromEntries(all) as Record<Tier, TierStats>, // one entry a tier, by construction
            hits: counted('hits'),
            misses: counted('misses'),
            setAside: connection.setAside,
          };
        }),
      ),

    keys: (tier, pattern) =>
      connection.use((database) => {
        const where = tier === undefined ? '' : 'AND tier = ?';
        const rows = database
          .statement(`SELECT id, key, tier, stored, expires FROM entries WHERE expires > ? ${where} ORDER BY key`)
          .all(clock.now(), ...(tier === undefined ? [] : [tier])) as unknown as readonly Row[];
        return rows.filter(({ key }) => pattern === undefined || fitsWildcard(pattern, key)).map(entryOf);
      }),

    dispose: connection.dispose,
  };
}

function entryOf({ key, tier, stored, expires }: Row): StoredEntry {
  return { key, tier, storedAt: stored, expiresAt: expires };
}

/** Lets the least recently used of a tier go until it is within its limits; never the one that was just stored. */
function evict(
  database: CacheDatabase,
  tier: Tier,
  { maxEntries, maxBytes }: TierLimits,
  kept: number,
): readonly string[] {
  const evicted: string[] = [];
  for (;;) {
    const total = database.statement('SELECT entries, size FROM totals WHERE tier = ?').get(tier) as {
      entries: number;
      size: number;
    };
    if (total.entries <= maxEntries && total.size <= maxBytes) return evicted;
    const oldest = database
      .statement('SELECT id, key FROM entries WHERE tier = ? AND id <> ? ORDER BY used LIMIT 1')
      .get(tier, kept) as { id: number; key: string } | undefined;
    if (!oldest) return evicted;
    database.statement('DELETE FROM entries WHERE id = ?').run(oldest.id);
    evicted.push(oldest.key);
  }
}

function statsOf(database: CacheDatabase, tier: Tier, maxEntries: number): TierStats {
  const row = database
    .statement(
      'SELECT count(*) AS entries, coalesce(sum(size), 0) AS sizeBytes, min(stored) AS oldest, max(stored) AS newest FROM entries WHERE tier = ?',
    )
    .get(tier) as { entries: number; sizeBytes: number; oldest: number | null; newest: number | null };
  const { entries, sizeBytes, oldest, newest } = row;
  return { entries, sizeBytes, ...(oldest === null || newest === null ? {} : { oldest, newest }), maxEntries };
}
