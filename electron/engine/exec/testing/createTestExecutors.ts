import { afterEach } from 'vitest';
import { type TestExecutor, type TestOptions, testExecutor } from './testExecutor.ts';

/** Makes executors for the tests of a file and closes them after each, which fails when something is left of them. */
export function createTestExecutors(): (options?: TestOptions) => TestExecutor {
  let open: TestExecutor[] = [];
  afterEach(async () => {
    const closing = open;
    open = [];
    for (const one of closing) await one.close();
  });
  return (options) => {
    const made = testExecutor(options);
    open.push(made);
    return made;
  };
}
