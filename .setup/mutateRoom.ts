import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

/** Where a room may lie, first match wins. */
const floors = ['electron/engine', 'electron', 'renderer', 'shared', '.'];
/** What the tests of a room need beside sources; the rest is not copied for each run. */
const notCopied = ['dist', 'e2e/results', '.vise-test'];

/** The patterns of the sources to change and of the tests to run for a folder or a file, with `/` between names. */
export function patternsOf(place: string): { readonly mutate: readonly string[]; readonly tests: string } {
  const folder = /\.tsx?$/.test(place) ? place.slice(0, place.lastIndexOf('/')) : place;
  const sources = folder === place ? `${place}/**/*.ts` : place;
  return {
    mutate: [sources, '!**/*.test.ts', '!**/testing/**', '!**/*.d.ts'],
    tests: `${folder}/**/*.test.ts?(x)`,
  };
}

/**
 * `npm run mutate -- ROOM`: changes the code of a room one place at a time and runs its tests on each change; prints what no
 * test noticed, and the share that was noticed in percent. Answers the exit code: 2 where there is no such room.
 */
export async function mutateRoom(words: readonly string[]): Promise<number> {
  const [room = ''] = words;
  const floor = floors.find((name) => room !== '' && existsSync(join(name, room)));
  if (floor === undefined) {
    console.error(
      `There is no room "${room}". Name one: npm run mutate -- permission (or renderer/mirror, or one file).`,
    );
    return 2;
  }
  const { mutate, tests } = patternsOf(floor === '.' ? room : `${floor}/${room}`);
  process.env['VISE_MUTATE_TESTS'] = tests;
  await new Stryker({
    mutate: [...mutate],
    ignorePatterns: notCopied,
    plugins: ['@stryker-mutator/vitest-runner'],
    testRunner: 'vitest',
    vitest: { configFile: '.setup/mutate.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: Math.max(1, availableParallelism() - 1),
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false },
    // The compiler has no interface in JavaScript any more, and types are checked elsewhere.
    tsconfigFile: 'none',
    tempDirName: '.vise-test/mutate',
  }).runMutationTest();
  return 0;
}
