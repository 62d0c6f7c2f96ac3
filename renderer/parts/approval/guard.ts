/**
 * A click meant to bring the window forward, or meant for what stood there a moment ago, must never approve anything:
 * whoever reads a question needs longer than this, whoever does not has not read it.
 */
export const guardMs = 500;

export interface ApprovalGuard {
  /** A card appeared, went away or moved, or the window came forward. Milliseconds of the same clock as events. */
  disturbed(at: number): void;
  /** Whether a key or click that happened at this time counts. */
  allows(at: number): boolean;
  /** Milliseconds until clicks count again; 0 when they do. */
  remaining(at: number): number;
}

export function createApprovalGuard(): ApprovalGuard {
  let last = Number.NEGATIVE_INFINITY;
  const remaining = (at: number): number => Math.max(0, last + guardMs - at);
  return {
    disturbed(at) {
      last = Math.max(last, at);
    },
    allows: (at) => remaining(at) === 0,
    remaining,
  };
}
