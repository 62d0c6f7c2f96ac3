export const tiers = ['reasoning', 'project', 'vault'] as const;
export type Tier = (typeof tiers)[number];

export interface TierLimits {
  readonly ttlMs: number;
  readonly maxEntries: number;
  /** Of values and keys together. */
  readonly maxBytes: number;
}

const minute = 60_000;
const day = 24 * 60 * minute;
const mebibyte = 1024 * 1024;

/** Times and numbers of entries as in the original; bytes so that no tier fills a disk. */
export const tierLimits: Readonly<Record<Tier, TierLimits>> = {
  reasoning: { ttlMs: 5 * minute, maxEntries: 100, maxBytes: 64 * mebibyte },
  project: { ttlMs: day, maxEntries: 500, maxBytes: 256 * mebibyte },
  vault: { ttlMs: 7 * day, maxEntries: 1_000, maxBytes: 512 * mebibyte },
};

export const maxKeyCharacters = 512;
export const maxValueBytes = 5 * mebibyte;
