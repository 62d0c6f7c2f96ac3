import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isTestPath } from './layerRules.ts';
import { root, run } from './project.mjs';

/** The rules that hold for every source. */
const always = ['electron/layers.test.ts', 'electron/sizes.test.ts'];

/** A folder with more tests than this is a room; then only the tests beside what changed are run. */
const maxTestsOfFolder = 12;

async function git(...args: readonly string[]): Promise<readonly string[]> {
  const { output } = await run('git', args, { quiet: true, timeLimitMs: 20_000 });
  return output.split('\n').filter((line) => line !== '');
}

/** The tests beside a changed file: its own, or all of a small folder. Paths are relative to the project. */
export function testsBeside(file: string, testsIn: (folder: string) => readonly string[]): readonly string[] {
  if (isTestPath(file)) return [file];
  const folder = posix.dirname(file);
  const tests = testsIn(folder);
  if (tests.length <= maxTestsOfFolder) return tests.map((name) => posix.join(folder, name));
  const stem = posix.basename(file).replace(/\.[^.]*$/, '');
  return tests.filter((name) => name.startsWith(`${stem}.test.`)).map((name) => posix.join(folder, name));
}

/** The tests of what differs from the last commit; of the last commit itself where nothing does. */
export async function changedTests(): Promise<readonly string[]> {
  const open = [
    ...(await git('diff', '--name-only', 'HEAD')),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ];
  const changed = open.length > 0 ? open : await git('diff', '--name-only', 'HEAD~1', 'HEAD');
  const testsIn = (folder: string): readonly string[] =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)).filter(isTestPath) : [];
  const tests = changed
    .filter((file) => /\.(tsx?|mjs)$/.test(file))
    .flatMap((file) => testsBeside(file, testsIn))
    .filter((file) => existsSync(join(root, file)));
  return [...new Set([...always, ...tests])];
}
