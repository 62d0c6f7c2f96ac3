import { afterEach, describe, expect, test } from 'vitest';
import { type TestExecutor, type TestOptions, testExecutor } from './testing/testExecutor.ts';

let open: TestExecutor[] = [];
const make = (options?: TestOptions): TestExecutor => {
  const made = testExecutor(options);
  open.push(made);
  return made;
};
afterEach(async () => {
  const closing = open;
  open = [];
  for (const one of closing) await one.close();
});

describe('a foreground command', () => {
  test('gives both streams apart and the exit code', async () => {
    const { run } = make();
    const outcome = await run('echo out; echo err >&2; exit 3');
    expect(outcome).toMatchObject({
      kind: 'finished',
      task: { state: 'completed', exitCode: 3, mode: 'shell' },
      output: { stdout: 'out\n', stderr: 'err\n', truncated: false },
    });
  });
});
