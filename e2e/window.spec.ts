import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { callsOf } from '../shared/model/reduce.ts';
import { connect } from './harness/connect.ts';
import { productRoot, readTree } from './harness/folders.ts';
import { shootDocs, shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { until } from './harness/until.ts';
import {
  applyButton,
  changeSetCard,
  commandCard,
  composerOf,
  pressUntilGone,
  reviewOf,
  seeLastReply,
} from './harness/window.ts';

const fileLine = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: 'Proposed' }).getByRole('button', { name: new RegExp(`^modified .*${name}`) });

/** The project on show, and what the model was told about each edit. */
async function stateOf(url: string): Promise<{ readonly project: string; readonly edits: readonly string[] }> {
  const client = await connect(url);
  try {
    const bench = await client.call('workbench.watch', {});
    const project = bench.ok ? (bench.value.state.projects[0]?.path ?? '') : '';
    const session = bench.ok ? (Object.keys(bench.value.state.sessions)[0] ?? '') : '';
    const watched = await client.call('session.watch', { session });
    const calls = watched.ok ? callsOf(watched.value.state) : [];
    const edits = calls.filter(({ tool }) => tool === 'edit_file').map(({ result }) => JSON.stringify(result));
    return { project, edits };
  } finally {
    client.close();
  }
}

/** How many kinds of words the diff colours some frames after a change of theme, with a browser that is never idle. */
const coloursAfter = (page: Page, theme: string): Promise<number> =>
  page.evaluate(async (name) => {
    const usual = window.requestIdleCallback;
    window.requestIdleCallback = () => 0;
    document.documentElement.className = name;
    for (let frames = 0; frames < 5; frames += 1) await new Promise((done) => requestAnimationFrame(done));
    window.requestIdleCallback = usual;
    const words = document.querySelectorAll('.modified-in-monaco-diff-editor .view-line span[class*=mtk]');
    return new Set([...words].map(({ className }) => /mtk\d+/.exec(className)?.[0])).size;
  }, theme);

test('the sample in full: explore, review, edit, leave out a hunk, watch the build, take it back', async ({
  page,
  serve,
}) => {
  const { url } = await serve();
  await page.goto(url);
  await shootThemes(page, 'empty');
  await page.getByRole('button', { name: /Try the sample project/ }).click();
  await expect(page.getByRole('tree', { name: 'Files' }).getByText('package.json')).toBeVisible();
  await shootThemes(page, 'sample');
  const { project } = await stateOf(url);
  const before = readTree(project);
  await composerOf(page).fill('Make the failing test pass');
  await composerOf(page).press('Enter');

  // Both files wait, nothing is written.
  const apply = applyButton(page);
  await expect(apply).toContainText('Apply 7 hunks');
  await expect(changeSetCard(page)).toBeVisible();
  expect(readTree(project)).toEqual(before);

  // The proposed side is edited …
  await fileLine(page, 'tokens.ts').click();
  const tokens = reviewOf(page).getByRole('group', { name: 'Review: src/tokens.ts' });
  await tokens.getByRole('button', { name: 'Edit', exact: true }).click();
  await reviewOf(page).locator('.monaco-diff-editor').getByText('A text in its parts.').last().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' // by hand');
  await expect(tokens.getByRole('button', { name: 'Take back my edits' })).toBeVisible();
  // A theme brings its colours of words along.
  const coloured = page.locator('.modified-in-monaco-diff-editor .view-line [class*=mtk]:not(.mtk1)').first();
  await expect(coloured).toBeAttached();
  for (const theme of ['dark', 'light']) expect(await coloursAfter(page, theme)).toBeGreaterThan(2);
  await tokens.getByRole('button', { name: 'Done' }).click();
  await expect(reviewOf(page).locator('[data-mark=added]').getByText('// by hand')).toBeVisible();
  await shootThemes(page, 'review');
  // … and one hunk of the other file is left out, with a word to the model.
  await fileLine(page, 'parse.ts').click();
  await reviewOf(page).getByRole('button', { name: 'Comment on hunk 1: src/parse.ts' }).click();
  await page.getByRole('textbox', { name: 'Comment on hunk 1' }).fill('No example, please.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await reviewOf(page).getByRole('button', { name: 'Reject hunk: Hunk 1 of 2' }).click();
  await expect(apply).toContainText('Apply 6 of 7 hunks');
  await shootThemes(page, 'review-partly');
  await shootDocs(page);
  await pressUntilGone(apply, apply);

  // The command waits until it is let; then the build is watched live.
  const command = commandCard(page);
  await pressUntilGone(command.getByRole('button', { name: 'Once', exact: true }), command);
  const after = readTree(project);
  expect(
    Object.keys(after)
      .filter((path) => after[path] !== before[path])
      .sort(),
  ).toEqual(['src/parse.ts', 'src/tokens.ts']);
  expect(after['src/tokens.ts']).toContain('The sign holds for all of them. */ // by hand\n');
  expect(after['src/parse.ts']).toContain('return sign * tokens.reduce(');
  expect(after['src/parse.ts']).not.toContain('a sign in front holds for the whole');
  const console = page.getByRole('region', { name: 'Console' });
  await expect(console.getByRole('tab', { name: /npm test/ })).toBeVisible();
  await shootThemes(page, 'console');
  await seeLastReply(page);
  // The long test of the sample computes for seconds on an idle machine and for minutes on a busy one.
  await expect(console.getByText('exit 0').first()).toBeVisible({ timeout: 240_000 });
  await shootThemes(page, 'done');

  // The meter tells with what the model's window is filled.
  await page.getByRole('button', { name: /tokens of the context are in use/ }).click();
  const parts = page.getByRole('dialog', { name: 'What fills the context' });
  await expect(parts.getByText('Results of tools')).toBeVisible();
  await expect(parts.getByText('Replies of the model')).toBeVisible();
  await shootThemes(page, 'context');
  await page.keyboard.press('Escape');
  await expect(parts).toBeHidden();

  // The model was told what became of its proposal.
  const { edits } = await stateOf(url);
  expect(edits).toHaveLength(2);
  expect(edits.join('\n')).toContain('No example, please.');

  // Both edits were one change set: taken back by one click, to the very bytes of the start.
  await page.getByRole('contentinfo', { name: 'Status' }).getByRole('button', { name: '1 change set' }).click();
  await until('the changes to be undone', () => JSON.stringify(readTree(project)) === JSON.stringify(before));
  expect(readTree(project)).toEqual(before);
});

test('a folder is opened through the folder picker, and a reload keeps project, session, approval and draft', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const project = makeProject({});
  cpSync(join(productRoot, 'resources', 'sample'), project, { recursive: true });
  const script = join(productRoot, 'resources', 'sampleScript.json');
  const { url } = await serve({ args: ['--provider', 'scripted', '--script', script] });
  await page.goto(url);
  await page.getByRole('button', { name: /Open a project folder/ }).click();
  const dialog = page.getByRole('dialog');
  const path = dialog.getByRole('textbox');
  await expect(path).toHaveValue(home);
  await path.fill(project);
  await path.press('Enter');
  await expect(dialog.getByRole('button', { name: 'src' })).toBeVisible();
  await shootThemes(page, 'folder');
  await dialog.getByRole('button', { name: /^(Open|Choose)/ }).click();
  const trust = page.getByRole('dialog').getByRole('button', { name: /Restricted|restricted/ });
  const tree = page.getByRole('tree', { name: 'Files' });
  await expect(tree.or(trust).first()).toBeVisible();
  if (await trust.isVisible()) await trust.click();
  await expect(tree.getByText('package.json')).toBeVisible();

  await composerOf(page).fill('Make the failing test pass');
  await composerOf(page).press('Enter');
  await expect(changeSetCard(page)).toBeVisible();
  await composerOf(page).fill('and a word about');
  const client = await connect(url);
  const bench = await client.call('workbench.watch', {});
  const session = bench.ok ? (Object.keys(bench.value.state.sessions)[0] ?? '') : '';
  await until('the draft to be kept', async () => {
    const watched = await client.call('session.watch', { session });
    return watched.ok && watched.value.draft === 'and a word about';
  });
  client.close();

  await page.reload();
  await expect(changeSetCard(page)).toBeVisible();
  await expect(composerOf(page)).toHaveValue('and a word about');
  await expect(tree.getByText('package.json')).toBeVisible();
  await expect(reviewOf(page).getByRole('button', { name: /^Apply 7 hunks/ })).toBeVisible();
  expect(readTree(project)).toEqual(readTree(join(productRoot, 'resources', 'sample')));
});
