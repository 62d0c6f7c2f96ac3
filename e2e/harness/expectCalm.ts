import type { Finished } from './program.ts';
import { expect } from './test.ts';

/** What a person must never see: the inside of the program. */
export function expectCalm({ stdout, stderr }: Finished): void {
  expect(stderr).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  expect(stderr).not.toContain('should not have happened');
  expect(stdout).not.toMatch(/node:internal|out\/host\//);
}
