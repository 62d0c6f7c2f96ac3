import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { configure, scripted } from './harness/configure.ts';
import { productRoot, readTree } from './harness/folders.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { applyButton, composerOf, pressUntilGone, reviewOf } from './harness/window.ts';

const packages = ['typescript', '@typescript'];
const places = [1, 4, 7, 10, 13, 16, 19];

/** Twenty lines of which the named ones are changed. */
const textOf = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 20 }, (_, at) => `${changed[at] ?? `export const v${at}: number = ${at};`}\n`).join('');

const broken = "export const v10: number = 'ten';";
const seven = textOf(
  Object.fromEntries(places.map((at) => [at, at === 10 ? broken : `export const v${at}: number = ${at} + 1;`])),
);

const tree = {
  'package.json': JSON.stringify({
    type: 'module',
    scripts: {
      typecheck: 'node node_modules/typescript/bin/tsc --noEmit -p .',
      lint: 'node lint.js',
      test: 'node --test test.js',
    },
  }),
  'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, types: [] }, include: ['src'] }),
  'lint.js': "console.log('no issues');",
  'test.js': "import { test } from 'node:test';\ntest('adds', () => {});",
  'src/a.ts': textOf(),
};

test('a hunk that breaks the types is marked before it is written, and left out turns the head green', async ({
  page,
  serve,
  makeProject,
  home,
}) => {
  test.slow();
  const project = makeProject(tree);
  // Of its own, as an install brings them: what lies in another temporary folder the sandbox hides.
  for (const name of packages)
    cpSync(join(productRoot, 'node_modules', name), join(project, 'node_modules', name), { recursive: true });
  const write = { tool: 'write_file', input: { filePath: 'src/a.ts', content: seven } };
  const args = scripted(home, [{ calls: [write] }, { text: 'Done.' }]);
  configure(home, { settings: { mode: 'direct' } });
  const { url } = await serve({ project, args });
  await page.goto(url);
  const before = readTree(project);
  await composerOf(page).fill('Raise the numbers');
  await composerOf(page).press('Enter');
  await expect(applyButton(page)).toContainText('Apply 7 hunks');

  // The commands stand there before any of them runs.
  const head = reviewOf(page).getByRole('region', { name: 'Tried before it is written' });
  await expect(head).toContainText('npm run typechecknpm run lintnpm test');
  await shootThemes(page, 'rehearsal-asks');
  const run = head.getByRole('button', { name: 'Try', exact: true });
  await pressUntilGone(run, run);

  const line = head.getByRole('status');
  await expect(line).toHaveText('3 checks: 2 green, 1 new error in src/a.ts', { timeout: 60_000 });
  const hunk = reviewOf(page).getByRole('group', { name: 'Hunk 4 of 7: src/a.ts' });
  await expect(hunk).toContainText("Type 'string' is not assignable to type 'number'");
  await expect(reviewOf(page).getByText('1 new finding')).toHaveCount(2); // the file's head and the hunk
  await shootThemes(page, 'rehearsal-red');
  expect(readTree(project)).toEqual(before);

  await reviewOf(page).getByRole('button', { name: 'Reject hunk: Hunk 4 of 7, src/a.ts' }).click();
  await expect(line).toHaveText('3 checks: 3 green', { timeout: 60_000 });
  await expect(hunk).not.toContainText('not assignable');
  await shootThemes(page, 'rehearsal-green');
  expect(readTree(project)).toEqual(before);

  await pressUntilGone(applyButton(page), applyButton(page));
  const left = seven.replace(broken, 'export const v10: number = 10;');
  await expect.poll(() => readTree(project)).toEqual({ ...before, 'src/a.ts': left });
});
