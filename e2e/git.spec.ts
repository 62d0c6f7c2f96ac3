import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configure, scripted } from './harness/configure.ts';
import { beginRepository } from './harness/gitRepository.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { composerOf, openFreeSession } from './harness/window.ts';

const lines = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, at) => `${changed[at] ?? `line ${at}`}\n`).join('');

test('a hunk is staged and committed with a proposed message beside the session’s own, and a conflict is resolved by choice', async ({
  page,
  serve,
  makeProject,
  home,
}) => {
  test.slow();
  const project = makeProject({ 'a.txt': lines(), 'b.txt': 'one\n' });
  const git = beginRepository(project);
  git('switch', '--quiet', '--create', 'other');
  writeFileSync(join(project, 'b.txt'), 'theirs\n');
  git('commit', '--quiet', '--all', '--message=theirs');
  git('switch', '--quiet', 'trunk');
  const write = { tool: 'write_file', input: { filePath: 'b.txt', content: 'ours\n' } };
  const args = scripted(home, [{ calls: [write] }, { text: 'Done.' }, { text: 'Raise the third line' }]);
  configure(home, { settings: { mode: 'direct' } });
  const { url } = await serve({ project, args });
  const { client, session } = await openFreeSession(page, url, project);
  await client.call('session.configure', { session, appliesEdits: true });
  client.close();
  await composerOf(page).fill('Change b');
  await composerOf(page).press('Enter');
  await expect(page.getByText('Done.')).toBeVisible();
  writeFileSync(join(project, 'a.txt'), lines({ 3: 'first', 30: 'second' }));

  await page.getByRole('tab', { name: 'Git' }).click();
  const changed = page.getByRole('region', { name: 'Changed' });
  await expect(changed.getByRole('listitem').filter({ hasText: 'b.txt' })).toContainText('this session');
  await changed.getByRole('button', { name: /a\.txt/, expanded: false }).click();
  await changed.getByRole('button', { name: 'Stage: Hunk 1 of 2, a.txt' }).click();
  await expect(page.getByRole('region', { name: 'Staged' })).toContainText('a.txt');
  await shootThemes(page, 'git');
  await page.getByRole('button', { name: 'Propose' }).click();
  const message = page.getByRole('textbox', { name: 'Message of the commit' });
  await expect(message).toHaveValue('Raise the third line');
  await message.fill('Raise the third line, by hand');
  await page.getByRole('button', { name: 'Commit 1 file' }).click();
  await expect(page.getByRole('region', { name: 'Staged' })).toHaveCount(0);
  expect(git('log', '-1', '--format=%s')).toBe('Raise the third line, by hand');
  expect(`${git('show', 'HEAD:a.txt')}\n`).toBe(lines({ 3: 'first' }));

  git('commit', '--quiet', '--all', '--message=mine');
  expect(() => git('merge', 'other')).toThrow();
  const conflicts = page.getByRole('region', { name: 'In conflict' });
  await expect(conflicts).toContainText('theirs', { timeout: 30_000 });
  await expect(page.getByText('a merge is in progress')).toBeVisible();
  await conflicts.getByRole('button', { name: 'Take theirs' }).click();
  await shootThemes(page, 'git-conflict');
  await conflicts.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(conflicts).toHaveCount(0);
  expect(git('show', ':b.txt')).toBe('theirs');
});
