import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scripted } from './harness/configure.ts';
import { readTree } from './harness/folders.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { composerOf, openFreeSession } from './harness/window.ts';

const write = (filePath: string, content: string) => ({ tool: 'write_file', input: { filePath, content } });

test('a message is a point to go back to: what goes and what stays is shown first, and the talk goes on from there', async ({
  page,
  serve,
  home,
  makeProject,
}) => {
  test.slow();
  const project = makeProject({ 'a.txt': 'old\n' });
  const args = scripted(home, [
    { calls: [write('a.txt', 'one\n')] },
    { text: 'Said one.' },
    { calls: [write('a.txt', 'two\n'), write('b.txt', 'b\n'), write('c.txt', 'c\n')] },
    { text: 'Said two.' },
  ]);
  const { url } = await serve({ project, args });
  const { client } = await openFreeSession(page, url, project);
  const talk = page.getByRole('log', { name: 'Conversation' });
  for (const [message, answer] of [
    ['Write one', 'Said one.'],
    ['Write two', 'Said two.'],
  ] as const) {
    await composerOf(page).fill(message);
    await composerOf(page).press('Enter');
    await expect(talk.getByText(answer)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeDisabled();
  }
  expect(readTree(project)).toMatchObject({ 'a.txt': 'two\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  writeFileSync(join(project, 'c.txt'), 'typed by hand\n');

  const dialog = page.getByRole('dialog', { name: 'Go back to this point?' });
  const message = talk.locator('.group').filter({ hasText: 'Write two' }).first();
  await message.hover();
  await message.getByRole('button', { name: 'Go back to here…' }).click();
  await expect(dialog.getByText('2 files go back')).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'c.txt' })).toContainText('its content changed since');
  await shootThemes(page, 'rewind');
  await dialog.getByRole('button', { name: 'Go back', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(talk.getByText('Said two.')).toBeHidden();
  await expect(talk.getByText('Said one.')).toBeVisible();
  await expect(composerOf(page)).toHaveValue('Write two');
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('one\n');
  expect(readFileSync(join(project, 'c.txt'), 'utf8')).toBe('typed by hand\n');
  // The script goes on where the talk stands: it writes anew what went.
  await composerOf(page).press('Enter');
  await expect(talk.getByText('Said two.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeDisabled();

  // A change is a point too: the files before it, the conversation as it is.
  const card = talk.getByRole('article').filter({ hasText: 'a.txt' }).first();
  await card.hover();
  await card.getByRole('button', { name: 'Go back to here…' }).click();
  await dialog.getByRole('radio', { name: 'Files only' }).check();
  await expect(dialog.getByText('2 files go back')).toBeVisible();
  await dialog.getByRole('button', { name: 'Go back', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(talk.getByText('Said two.')).toBeVisible();
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('old\n');

  // All of it can be taken back: the files come again, the conversation as a copy.
  await message.hover();
  await message.getByRole('button', { name: 'Go back to here…' }).click();
  await dialog.getByRole('radio', { name: 'Conversation only' }).check();
  await dialog.getByRole('button', { name: 'Go back', exact: true }).click();
  await expect(talk.getByText('Said two.')).toBeHidden();
  // The notices of before may still be there: it is taken back by its own.
  const notice = page.locator('[data-sonner-toast]').filter({ hasText: 'Went back · 0 files' });
  await notice.getByRole('button', { name: 'Take this back' }).click();
  await expect(talk.getByText('Said two.')).toBeVisible();
  client.close();
});
