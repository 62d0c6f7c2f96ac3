import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configure, scripted } from './harness/configure.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { applyButton, composerOf, pressUntilGone, reviewOf } from './harness/window.ts';

test('at the message: attach, take back from the queue, stop, earlier messages; the review of a whole session', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  test.slow();
  const project = makeProject({ 'a.txt': 'one\ntwo\nthree\n' });
  configure(home, { settings: { mode: 'direct' } });
  const edit = (from: string, to: string) => ({
    calls: [{ tool: 'edit_file', input: { filePath: 'a.txt', oldStr: from, newStr: to } }],
  });
  const args = scripted(home, [
    edit('one', 'ONE'),
    { text: 'First.' },
    edit('three', 'THREE'),
    { text: 'Second.' },
    { calls: [{ tool: 'run', input: { command: 'node --version' } }] },
    { text: 'Third.' },
  ]);
  const { url } = await serve({ project, args });
  await page.goto(url);
  const composer = composerOf(page);
  for (const [text, answer] of [
    ['first wish', 'First.'],
    ['second wish', 'Second.'],
  ] as const) {
    await composer.fill(text);
    await composer.press('Enter');
    await pressUntilGone(applyButton(page), applyButton(page));
    await expect(page.getByRole('log').getByText(answer)).toBeVisible();
  }

  // What the session has changed in all is one diff of the file.
  await reviewOf(page).getByRole('button', { name: 'All since the start' }).click();
  await expect(reviewOf(page).locator('[data-mark=added]')).toHaveCount(2);
  await expect(reviewOf(page).locator('[data-mark=added]').first()).toContainText('ONE');
  await expect(reviewOf(page).locator('[data-mark=added]').last()).toContainText('THREE');
  await shootThemes(page, 'review-session');

  // A hunk is taken back by its button or by `x`, on the disk at once; one undo puts it there again.
  const held = () => readFileSync(join(project, 'a.txt'), 'utf8');
  const lines = reviewOf(page).locator('[data-mark=added]');
  await reviewOf(page).getByRole('button', { name: 'Take back: Hunk 1 of 2, a.txt' }).click();
  await expect(lines).toHaveCount(1);
  expect(held()).toBe('one\ntwo\nTHREE\n');
  await expect(page.getByText('Taken back in a.txt')).toBeVisible();
  await page
    .getByRole('region', { name: /Notifications/ })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(lines).toHaveCount(2);
  expect(held()).toBe('ONE\ntwo\nTHREE\n');
  await page.keyboard.press('Alt+1');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(lines).toHaveCount(1);
  await expect(
    page
      .getByRole('log')
      .getByText(/The person took back some of the lines/)
      .last(),
  ).toBeVisible();

  // Earlier messages come back by ↑ and go by ↓; what was typed is never replaced.
  await composer.focus();
  await page.keyboard.press('ArrowUp');
  await expect(composer).toHaveValue('second wish');
  await page.keyboard.press('ArrowUp');
  await expect(composer).toHaveValue('first wish');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(composer).toHaveValue('');
  await composer.fill('mine');
  await page.keyboard.press('ArrowUp');
  await expect(composer).toHaveValue('mine');

  // A file goes along by the button.
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach files or pictures' }).click(),
  ]);
  await chooser.setFiles({ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n') });
  await expect(page.getByRole('list', { name: 'Attached' }).getByText('notes.md')).toBeVisible();
  await composer.press('Enter');
  await expect(page.getByRole('region', { name: /^Approval: Run node/ })).toBeVisible();

  // A queued message is taken back into the field, before what is being written.
  await composer.fill('later, please');
  await composer.press('Enter');
  await expect(page.getByRole('list', { name: '1 message queued' })).toBeVisible();

  // Another one goes before it, by keys; the button keeps the focus, and the first has nothing above it.
  await composer.fill('sooner, please');
  await composer.press('Enter');
  const queue = page.getByRole('list', { name: '2 messages queued' }).getByRole('listitem');
  await expect(queue).toHaveText(['later, please', 'sooner, please']);
  await queue.last().getByRole('button', { name: 'Send before the one above' }).focus();
  await page.keyboard.press('Enter');
  await expect(queue).toHaveText(['sooner, please', 'later, please']);
  const first = queue.first().getByRole('button', { name: 'Send before the one above' });
  await expect(first).toBeFocused();
  await expect(first).toBeDisabled();
  await shootThemes(page, 'queue');
  await queue.first().getByRole('button', { name: 'Take out of the queue' }).click();
  await expect(page.getByRole('list', { name: '1 message queued' })).toBeVisible();
  await composer.fill('and this');
  await page.getByRole('button', { name: 'Take back and edit' }).click();
  await expect(composer).toHaveValue('later, please\n\nand this');
  await expect(composer).toBeFocused();
  await expect(page.getByRole('list', { name: '1 message queued' })).toBeHidden();
  await composer.fill('');
  await page.locator('main').getByRole('button', { name: /Stop/ }).click();
  await expect(page.getByRole('region', { name: /^Approval: Run node/ })).toBeHidden();
});

test('apply, then review: edits come unasked once it is chosen for the session, and the review shows them to take back', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  test.slow();
  const project = makeProject({ 'a.txt': 'one\ntwo\n' });
  configure(home, { settings: { mode: 'direct' } });
  const edit = { tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'one', newStr: 'ONE' } };
  const { url } = await serve({ project, args: scripted(home, [{ calls: [edit] }, { text: 'Written.' }]) });
  await page.goto(url);
  await page.getByRole('button', { name: 'Edits of this session: Review, then apply' }).click();
  await shootThemes(page, 'edits-menu');
  await page.getByRole('menuitemradio', { name: /^Apply, then review/ }).click();
  await expect(page.getByRole('button', { name: 'Edits of this session: Apply, then review' })).toBeVisible();
  await composerOf(page).fill('go');
  await composerOf(page).press('Enter');
  await expect(page.getByRole('log').getByText('Written.')).toBeVisible();
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('ONE\ntwo\n');
  const review = reviewOf(page);
  await expect(review.getByRole('button', { name: 'All since the start' })).toHaveAttribute('aria-pressed', 'true');
  await expect(review.locator('[data-mark=added]')).toContainText('ONE');
  await shootThemes(page, 'edits-applied');
  await review.getByRole('button', { name: 'Take back all of the file: a.txt' }).click();
  await expect(review.locator('[data-mark=added]')).toHaveCount(0);
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
});

test('without a model a message opens the set-up and stays in the field', async ({ makeProject, page, serve }) => {
  const { url } = await serve({ project: makeProject({ 'a.txt': 'one\n' }) });
  await page.goto(url);
  await page.getByRole('button', { name: /[Ll]ook around|without/ }).click();
  await composerOf(page).fill('Explain this project');
  await composerOf(page).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(composerOf(page)).toHaveValue('Explain this project');
});
