import * as z from 'zod';
import type { ErrorCode } from '../../../../shared/errorCode.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Cache, StoredEntry } from '../../cache/cache.ts';
import { maxKeyCharacters, maxValueBytes, type Tier, tiers } from '../../cache/tiers.ts';
import { defineTool, type PlannedIntent, type Tool } from '../frame/tool.ts';

/** Longer than a lifetime is a mistake, and dates end somewhere. */
const maxTtlMs = 100 * 365 * 24 * 60 * 60 * 1000;
const maxPatternCharacters = 1_024;
/** Names of evicted entries in an answer; the rest is counted. */
const namedEvictions = 20;

/** A database that cannot be opened, and a disk without room for it. */
const storeErrors = ['UNAVAILABLE', 'DISK_FULL'] as const satisfies readonly ErrorCode[];

const wellFormed = () => z.string().refine((text) => text.isWellFormed(), { message: 'has half of a surrogate pair' });
const tier = () => z.enum(tiers).optional();

const entrySchema = () =>
  z.object({ key: z.string(), tier: z.enum(tiers), storedAt: z.string(), expiresAt: z.string() });

/** What stays in Vise's own store touches nothing of the project and needs no permission. */
function cacheIntent(summary: string): PlannedIntent {
  return { risk: 'none', effects: [], targets: [], summary, preview: { kind: 'none' } };
}

const time = (ms: number): string => new Date(ms).toISOString();

function wrongKey(key: string): Result<never> | undefined {
  if (key.trim() === '') return fail('EMPTY_KEY', 'The key is empty or blank');
  const length = [...key].length;
  if (length <= maxKeyCharacters) return undefined;
  return fail('VALIDATION_ERROR', `The key has ${length} characters; at most ${maxKeyCharacters} are allowed`, [
    { path: 'key', message: `at most ${maxKeyCharacters} characters` },
  ]);
}

/** The six tools over the project's cache, in the order of the tool reference. */
export function createCacheTools(cache: Cache): readonly Tool[] {
  return [
    cacheStore(cache),
    cacheRetrieve(cache),
    cacheDelete(cache),
    cacheClear(cache),
    cacheStats(cache),
    cacheKeys(cache),
  ];
}

function cacheStore(cache: Cache): Tool {
  return defineTool({
    name: 'cache_store',
    category: 'cache',
    permission: 'none',
    errors: [...storeErrors, 'EMPTY_KEY', 'VALUE_TOO_LARGE'],
    about:
      'Keep a text under a key: tier reasoning (5 minutes), project (a day, the default) or vault (a week); ttl in ms overrides.',
    input: () =>
      z.object({
        key: wellFormed(),
        value: wellFormed(),
        tier: tier(),
        ttl: z.number().positive().max(maxTtlMs).optional(),
      }),
    output: () =>
      z.object({
        key: z.string(),
        tier: z.enum(tiers),
        expiresAt: z.string(),
        replaced: z.boolean(),
        evicted: z.array(z.string()).optional(),
        evictedCount: z.number().optional(),
      }),
    text: ({ key, tier: kept, expiresAt, replaced, evicted = [], evictedCount = 0 }) =>
      [
        `${replaced ? 'Replaced' : 'Kept'} ${key} (${kept}) until ${expiresAt}`,
        ...(evictedCount === 0 ? [] : [`Made room: ${evictedCount} forgotten, such as ${evicted.join(', ')}`]),
      ].join('\n'),
    async plan(input) {
      const wrong = wrongKey(input.key);
      if (wrong) return wrong;
      const bytes = Buffer.byteLength(input.value);
      if (bytes > maxValueBytes)
        return fail('VALUE_TOO_LARGE', `The value has ${bytes} bytes; at most ${maxValueBytes} are kept`);
      return ok({ intent: cacheIntent(`Keep ${input.key}`), plan: input });
    },
    async run({ key, value, tier: chosen = 'project', ttl }) {
      const stored = await cache.store(key, value, chosen, ttl);
      if (!stored.ok) return stored;
      const { expiresAt, replaced, evicted } = stored.value;
      return ok({
        key,
        tier: chosen,
        expiresAt: time(expiresAt),
        replaced,
        // Never silently: what had to make room is named.
        evicted: evicted.length > 0 ? evicted.slice(0, namedEvictions) : undefined,
        evictedCount: evicted.length || undefined,
      });
    },
  });
}

function cacheRetrieve(cache: Cache): Tool {
  return defineTool({
    name: 'cache_retrieve',
    category: 'cache',
    permission: 'none',
    errors: [...storeErrors, 'EMPTY_KEY'],
    about: 'The text under a key, if it is still there.',
    input: () => z.object({ key: wellFormed() }),
    output: () =>
      entrySchema()
        .partial({ tier: true, storedAt: true, expiresAt: true })
        .extend({ found: z.boolean(), value: z.string().optional() }),
    text: ({ key, found, value }) => (found ? (value ?? '') : `nothing under ${key}`),
    plan: async ({ key }) => wrongKey(key) ?? ok({ intent: cacheIntent(`Recall ${key}`), plan: key }),
    async run(key) {
      const found = await cache.retrieve(key);
      if (!found.ok) return found;
      if (found.value === null) return ok({ key, found: false });
      const { value, ...entry } = found.value;
      return ok({ key, found: true, value, ...timesOf(entry), tier: entry.tier });
    },
  });
}

function cacheDelete(cache: Cache): Tool {
  return defineTool({
    name: 'cache_delete',
    category: 'cache',
    permission: 'none',
    errors: [...storeErrors, 'EMPTY_KEY'],
    about: 'Forget the text under a key.',
    input: () => z.object({ key: wellFormed() }),
    output: () => z.object({ key: z.string(), deleted: z.boolean() }),
    text: ({ key, deleted }) => (deleted ? `Forgot ${key}` : `nothing under ${key}`),
    plan: async ({ key }) => wrongKey(key) ?? ok({ intent: cacheIntent(`Forget ${key}`), plan: key }),
    async run(key) {
      const deleted = await cache.delete(key);
      return deleted.ok ? ok({ key, deleted: deleted.value }) : deleted;
    },
  });
}

function cacheClear(cache: Cache): Tool {
  return defineTool({
    name: 'cache_clear',
    category: 'cache',
    permission: 'none',
    errors: storeErrors,
    about: 'Forget everything of one tier, or of all.',
    input: () => z.object({ tier: tier() }),
    output: () => z.object({ deleted: z.number(), tier: z.enum([...tiers, 'all']) }),
    text: ({ deleted, tier: which }) => `Forgot ${deleted} (${which})`,
    plan: async (input) => ok({ intent: cacheIntent(`Empty the cache (${input.tier ?? 'all tiers'})`), plan: input }),
    async run({ tier: chosen }) {
      const cleared = await cache.clear(chosen);
      return cleared.ok ? ok({ deleted: cleared.value, tier: chosen ?? ('all' as const) }) : cleared;
    },
  });
}

function cacheStats(cache: Cache): Tool {
  return defineTool({
    name: 'cache_stats',
    category: 'cache',
    permission: 'none',
    errors: storeErrors,
    about: 'How much each tier of the cache holds, and how often it could help.',
    input: () => z.object({}),
    output: () =>
      z.object({
        tiers: z.record(
          z.enum(tiers),
          z.object({
            entries: z.number(),
            sizeBytes: z.number(),
            oldest: z.string().optional(),
            newest: z.string().optional(),
            maxEntries: z.number(),
          }),
        ),
        totalEntries: z.number(),
        hits: z.number(),
        misses: z.number(),
        setAside: z.string().optional(),
      }),
    text: ({ tiers: all, hits, misses, setAside }) =>
      [
        ...tiers.map((name) => {
          const { entries, maxEntries, sizeBytes } = all[name];
          return `${name}: ${entries} of ${maxEntries} entries, ${sizeBytes} bytes`;
        }),
        `${hits} hits, ${misses} misses`,
        ...(setAside === undefined ? [] : [`An unreadable cache was set aside: ${setAside}`]),
      ].join('\n'),
    plan: async () => ok({ intent: cacheIntent('Look at the cache'), plan: null }),
    async run() {
      const read = await cache.stats();
      if (!read.ok) return read;
      const { tiers: all, ...counts } = read.value;
      const shown = (name: Tier) => {
        const { oldest, newest, ...stats } = all[name];
        return {
          ...stats,
          oldest: oldest === undefined ? undefined : time(oldest),
          newest: newest === undefined ? undefined : time(newest),
        };
      };
      const totalEntries = Object.values(all).reduce((sum, { entries }) => sum + entries, 0);
      return ok({
        tiers: { reasoning: shown('reasoning'), project: shown('project'), vault: shown('vault') },
        totalEntries,
        ...counts,
      });
    },
  });
}

function cacheKeys(cache: Cache): Tool {
  return defineTool({
    name: 'cache_keys',
    category: 'cache',
    permission: 'none',
    errors: storeErrors,
    about: 'The keys of one tier or all; in pattern * and ? are wildcards over the whole key.',
    input: () => z.object({ tier: tier(), pattern: z.string().max(maxPatternCharacters).optional() }),
    output: () => z.object({ keys: z.array(entrySchema()), count: z.number() }),
    text: ({ keys }) =>
      keys.length === 0
        ? 'no keys'
        : keys.map(({ key, tier: kept, expiresAt }) => `${key} (${kept}, until ${expiresAt})`).join('\n'),
    plan: async (input) => ok({ intent: cacheIntent('List the keys of the cache'), plan: input }),
    async run({ tier: chosen, pattern }) {
      const found = await cache.keys(chosen, pattern);
      if (!found.ok) return found;
      const keys = found.value.map((entry) => ({ key: entry.key, tier: entry.tier, ...timesOf(entry) }));
      return ok({ keys, count: keys.length });
    },
  });
}

function timesOf({ storedAt, expiresAt }: StoredEntry) {
  return { storedAt: time(storedAt), expiresAt: time(expiresAt) };
}
