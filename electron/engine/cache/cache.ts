import type { Result } from '../../../shared/result.ts';
import type { Tier } from './tiers.ts';

export interface StoredEntry {
  readonly key: string;
  readonly tier: Tier;
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
  readonly expiresAt: number;
}

export interface TierStats {
  readonly entries: number;
  /** Of keys and values. */
  readonly sizeBytes: number;
  readonly oldest?: number;
  readonly newest?: number;
  readonly maxEntries: number;
}

export interface CacheStats {
  readonly tiers: Readonly<Record<Tier, TierStats>>;
  readonly hits: number;
  readonly misses: number;
  /** Where a database that could not be read was put. */
  readonly setAside?: string;
}

export interface Stored {
  readonly expiresAt: number;
  readonly replaced: boolean;
  /** Keys that had to go for this one, least recently used first. */
  readonly evicted: readonly string[];
}

/**
 * What a project keeps between sessions (SUPERCACHE). Keys are unique over all tiers; what has expired is absent. Safe
 * under several processes. Errors of all: UNAVAILABLE (busy, unreadable, a newer format), DISK_FULL.
 */
export interface Cache {
  store(key: string, value: string, tier: Tier, ttlMs?: number): Promise<Result<Stored>>;
  retrieve(key: string): Promise<Result<(StoredEntry & { readonly value: string }) | null>>;
  delete(key: string): Promise<Result<boolean>>;
  /** How many were there. */
  clear(tier?: Tier): Promise<Result<number>>;
  stats(): Promise<Result<CacheStats>>;
  /** In the order of their bytes. `pattern`: `*` and `?` over the whole key, anything else literally. */
  keys(tier?: Tier, pattern?: string): Promise<Result<readonly StoredEntry[]>>;
  /** Resolves when the file is closed. */
  dispose(): Promise<void>;
}
