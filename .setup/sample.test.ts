import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { root } from './project.mjs';

const script = z
  .strictObject({
    replies: z.array(
      z.strictObject({
        text: z.string().optional(),
        calls: z.array(z.strictObject({ tool: z.string(), input: z.record(z.string(), z.unknown()) })).optional(),
        delayMs: z.number().optional(),
        chunk: z.number().optional(),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(root, 'resources', 'sampleScript.json'), 'utf8')));

const edit = z.strictObject({ filePath: z.string(), oldStr: z.string(), newStr: z.string() });

/** The edits of each reply that makes any. */
const proposals = script.replies
  .map(({ calls = [] }) => calls.filter(({ tool }) => tool === 'edit_file').map(({ input }) => edit.parse(input)))
  .filter((edits) => edits.length > 0);

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sample-'));
  cpSync(join(root, 'resources', 'sample'), folder, { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

/** Runs the sample's own tests as `npm test` does, and gives the names of those that fail. */
function failing(): readonly string[] {
  const tests = ['test/parse.test.ts', 'test/format.test.ts'];
  const env = { ...process.env };
  // Set by a test run of Node itself; with it, the inner run would report to the outer.
  delete env['NODE_TEST_CONTEXT'];
  const run = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...tests], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(run.stdout).toContain('# tests 11');
  return [...run.stdout.matchAll(/^not ok \d+ - (.*)$/gm)].map(([, name = '']) => name);
}

function apply({ filePath, oldStr, newStr }: z.infer<typeof edit>): void {
  const before = read(filePath);
  expect(before.split(oldStr)).toHaveLength(2);
  writeFileSync(
    join(folder, filePath),
    before.replace(oldStr, () => newStr),
  );
}

test('the sample has exactly one failing test', () => {
  expect(failing()).toEqual(['a minus sign in front holds for the whole duration']);
});

test('one reply proposes both files, and together they mend it', () => {
  expect(proposals.map((edits) => edits.map(({ filePath }) => filePath))).toEqual([['src/tokens.ts', 'src/parse.ts']]);
  proposals.flat().forEach(apply);
  expect(failing()).toEqual([]);
});

test('the example in the comment can be rejected without breaking anything', () => {
  const whole = read('src/parse.ts').split('\n').length;
  proposals.flat().forEach(apply);
  const kept = read('src/parse.ts').replace(/^ \*.*-5400000.*\n/m, '');
  expect(kept.split('\n')).toHaveLength(whole + 1);
  writeFileSync(join(folder, 'src/parse.ts'), kept);
  expect(failing()).toEqual([]);
});

test('every file that the script reads is there', () => {
  const paths = script.replies.flatMap(({ calls = [] }) =>
    calls.flatMap(({ tool, input }) => (tool === 'read_file' ? [String(input['filePath'])] : [])),
  );
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths) expect(read(path)).not.toBe('');
});
