import { defineConfig } from 'vitest/config';

/** Below these limits a busy two-core machine is not mistaken for a hang, and a hang still has a name. */
const limits = { testTimeout: 60_000, hookTimeout: 60_000, teardownTimeout: 20_000 };

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
