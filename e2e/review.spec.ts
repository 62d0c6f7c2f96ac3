import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from './harness/connect.ts';
import { expect, test } from './harness/test.ts';
import { applyButton, pressUntilGone, reviewOf, startSample } from './harness/window.ts';

async function projectOf(url: string): Promise<string> {
  const client = await connect(url);
  const known = await client.call('workbench.watch', {});
  client.close();
  return known.ok ? (known.value.state.projects[0]?.path ?? '') : '';
}

test('nothing is lost in review: a comment is kept as it is typed, and a file that moved on does not stop the rest', async ({
  page,
  serve,
}) => {
  test.slow();
  const { url } = await serve();
  await startSample(page, url);
  const project = await projectOf(url);
  const review = reviewOf(page);
  const files = page.getByRole('list', { name: 'Proposed' });
  const lineOf = (name: string) => files.getByRole('button', { name: new RegExp(`^modified .*${name}`) });

  // Ctrl+Enter in the box of a comment belongs to the comment.
  await lineOf('parse.ts').click();
  await review.getByRole('button', { name: 'Comment on hunk 1: src/parse.ts' }).click();
  const box = page.getByRole('textbox', { name: 'Comment on hunk 1' });
  await box.fill('No example, please.');
  await page.keyboard.press('Control+Enter');
  await expect(applyButton(page)).toContainText('Apply 7 hunks');
  // It is kept without being saved: here the page goes away under it.
  await page.reload();
  await lineOf('parse.ts').click();
  await review.getByRole('button', { name: 'Comment on hunk 1: src/parse.ts' }).click();
  await expect(box).toHaveValue('No example, please.');
  await page.keyboard.press('Escape');

  // By keys: hunk by hunk through all files, a verdict and back, the other look, the list of keys.
  await page.keyboard.press('Alt+1');
  await page.keyboard.press('x');
  await expect(applyButton(page)).toContainText('Apply 6 of 7 hunks');
  await page.keyboard.press('j');
  await page.keyboard.press('u');
  await expect(applyButton(page)).toContainText('Apply 7 hunks');
  await page.keyboard.press('[');
  await expect(review.getByRole('button', { name: 'Accept hunk: Hunk 1 of 5, src/tokens.ts' })).toBeFocused();
  await page.keyboard.press('s');
  await expect(review.locator('.diff-pair').first()).toBeVisible();
  await page.keyboard.press('s');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys of the review' })).toBeVisible();
  await page.keyboard.press('Escape');

  // The file moves on: the list says so at once, and the button what is left. Rebased, all of it can be applied again.
  const parse = join(project, 'src/parse.ts');
  appendFileSync(parse, '// saved by another editor\n');
  await expect(lineOf('parse.ts')).toContainText('changed on disk');
  await expect(applyButton(page)).toContainText('Apply 5 hunks');
  const rebase = review.getByRole('button', { name: 'Rebase' });
  await pressUntilGone(rebase, rebase);
  await expect(applyButton(page)).toContainText('Apply 7 hunks');
  await lineOf('parse.ts').click();
  await expect(review.getByText('No example, please.')).toBeVisible();

  // It moves on once more: what is left is applied without it.
  appendFileSync(parse, '// and again\n');
  const moved = readFileSync(parse, 'utf8');
  await expect(applyButton(page)).toContainText('Apply 5 hunks');
  const tokens = lineOf('tokens.ts');
  await pressUntilGone(applyButton(page), tokens);
  expect(readFileSync(parse, 'utf8')).toBe(moved);
  await expect(lineOf('parse.ts')).toBeVisible();

  // What is left goes back to the model.
  const anew = review.getByRole('button', { name: 'Have it proposed anew' });
  await pressUntilGone(anew, anew);
  await expect(files).toBeHidden();
  expect(readFileSync(parse, 'utf8')).toBe(moved);
});
