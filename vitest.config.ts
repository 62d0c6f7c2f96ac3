import { configDefaults, defineConfig } from 'vitest/config';

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

/**
 * Rooms whose test files share a process: each would otherwise load the engine for itself, which takes longer than most of
 * their tests (permission, shell, base and edits: 12 s of a processor instead of 27). The test of the journal replaces a
 * module, which would stay replaced for the files after it.
 */
const rooms =
  'base,bridge,cache,edits,git,handlers,model,openProject,openSession,permission,session,shell,storage,workspace';
const together = `electron/engine/{${rooms}}/**/!(journal).test.ts`;

/** Processes, not threads: a test has an environment of its own, and may send signals. */
const forks = { ...limits, environment: 'node', pool: 'forks', setupFiles: '.setup/failOnLeftovers.ts' } as const;

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
        test: { ...forks, name: 'together', include: [together], isolate: false },
      },
      {
        // A process a file.
        test: {
          ...forks,
          name: 'node',
          include: ['electron/**/*.test.ts', '{.setup,bench,e2e}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, together],
        },
      },
    ],
  },
});
