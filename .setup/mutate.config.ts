import { defineConfig } from 'vitest/config';

/** The tests of one room, for `npm run mutate` (Stryker chooses the pool). */
export default defineConfig({
  test: { include: (process.env['VISE_MUTATE_TESTS'] ?? '').split(','), testTimeout: 60_000, hookTimeout: 60_000 },
});
