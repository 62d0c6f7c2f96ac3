import { defineConfig } from 'vitest/config';

/**
 * Below these limits a slow machine that is busy with other things is not mistaken for a hang, and a hang still has a
 * name. `expect.poll` would give up after a second.
 */
const limits = {
  testTimeout: 240_000,
  hookTimeout: 120_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 120_000, interval: 20 } },
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        // No files, no processes: threads are quick, and there is nothing to leave behind.
        test: {
          ...limits,
          name: 'pure',
          environment: 'node',
          include: ['{shared,renderer}/**/*.test.ts?(x)'],
          pool: 'threads',
        },
      },
      {
        // A process a file, so that what a file leaves behind can be told and ended.
        test: {
          ...limits,
          name: 'node',
          environment: 'node',
          include: ['electron/**/*.test.ts', '{.setup,bench,e2e}/**/*.test.ts'],
          pool: 'forks',
          setupFiles: ['.setup/failOnLeftovers.ts'],
        },
      },
    ],
  },
});
