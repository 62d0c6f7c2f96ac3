import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { configure, scripted } from './harness/configure.ts';
import { connect } from './harness/connect.ts';
import { readTree } from './harness/folders.ts';
import { expect, test } from './harness/test.ts';
import { applyButton, composerOf, pressUntilGone, reviewOf } from './harness/window.ts';

/** Nothing sticks out of the window to its right. */
const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

test('a hundred questions at once and titles of five thousand characters: each is there, and each can be answered', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const project = makeProject({ 'a.txt': 'text\n' });
  configure(home, { settings: { mode: 'direct' } });
  const ask = { calls: [{ tool: 'ask_user', input: { question: 'Which one?', choices: ['This', 'That'] } }] };
  const { url } = await serve({ project, args: scripted(home, [ask, { text: 'Thank you.' }]) });
  const client = await connect(url);
  for (let count = 1; count <= 100; count += 1) {
    const made = await client.call('session.create', { project });
    if (!made.ok) throw new Error(made.error.message);
    const { session } = made.value;
    const title = `${count} ${'long '.repeat(1_000)}`;
    const sent = await client.call('session.send', { session, text: title });
    expect(sent.ok).toBe(true);
  }
  client.close();
  await page.goto(url);
  await expect(page.getByRole('button', { name: /^Inbox.*100/ })).toBeVisible();
  expect(await fits(page)).toBe(true);
  // The newest is on show; its answer takes one of them out of the inbox.
  const card = page.getByRole('log').getByRole('region', { name: 'Approval: Ask: Which one?' });
  await pressUntilGone(card.getByRole('button', { name: 'This', exact: true }), card);
  await expect(page.getByRole('log').getByText('Thank you.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Inbox.*99/ })).toBeVisible();
});

test('twenty megabytes of Markdown, read and written by the model, leave the window answering', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const line = '- a **bold** word, `code` and [a link](https://example.org)\n';
  const text = line.repeat(Math.ceil((20 * 1024 * 1024) / line.length));
  const project = makeProject({ 'big.md': text });
  configure(home, { settings: { mode: 'direct' } });
  const { url } = await serve({ project, args: scripted(home, [{ text }, { text: 'Still here.' }]) });
  await page.goto(url);
  await page.getByRole('tree', { name: 'Files' }).getByText('big.md').click();
  await expect(page.getByText(/^This file is too large to show/)).toBeVisible();
  await composerOf(page).fill('Write a lot');
  await composerOf(page).press('Enter');
  const log = page.getByRole('log');
  await expect(log.getByText(/^… \d+ more characters/)).toBeVisible();
  await log.getByRole('button', { name: 'Show more' }).click();
  await expect(log.getByText(/^… \d+ more characters/)).toBeVisible();
  await composerOf(page).fill('And now?');
  await composerOf(page).press('Enter');
  await expect(page.getByRole('log').getByText('Still here.')).toBeVisible();
  expect(await fits(page)).toBe(true);
});

test('a file that is deleted while its change is reviewed: the review says so, and nothing else is lost', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const project = makeProject({ 'a.txt': 'old a\n', 'b.txt': 'old b\n' });
  configure(home, { settings: { mode: 'direct' } });
  const edit = (name: string) => ({ tool: 'edit_file', input: { filePath: name, oldStr: 'old', newStr: 'new' } });
  const { url } = await serve({
    project,
    args: scripted(home, [{ calls: [edit('a.txt'), edit('b.txt')] }, { text: 'Done.' }]),
  });
  await page.goto(url);
  await composerOf(page).fill('Rename both');
  await composerOf(page).press('Enter');
  await expect(applyButton(page)).toContainText('Apply 2 hunks');
  rmSync(join(project, 'a.txt'));
  await expect(reviewOf(page).getByText(/^1 file has changed on disk since\./)).toBeVisible();
  await expect(applyButton(page)).toContainText('Apply 1 hunk');
  const one = reviewOf(page).getByRole('button', { name: /^Apply 1 hunk/ });
  await pressUntilGone(one, one);
  // What stands on no file any more is given back to the model.
  const anew = reviewOf(page).getByRole('button', { name: 'Have it proposed anew' });
  await pressUntilGone(anew, anew);
  await expect(page.getByRole('log').getByText('Done.')).toBeVisible();
  expect(readTree(project)).toEqual({ 'b.txt': 'new b\n' });
});
