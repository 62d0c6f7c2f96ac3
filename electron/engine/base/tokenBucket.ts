/**
 * Answers false once something happens more often than `perSecond`, after a burst of `burst` that a silence earns back.
 * `nowMs` is a clock that nobody sets.
 */
export function createTokenBucket(burst: number, perSecond: number, nowMs: () => number): () => boolean {
  let tokens = burst;
  let filledAt = nowMs();
  return () => {
    const now = nowMs();
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
