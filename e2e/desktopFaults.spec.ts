import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configure } from './harness/configure.ts';
import { answerDialogs, dialogsOf } from './harness/desktop.ts';
import { test } from './harness/desktopTest.ts';
import { expect } from './harness/test.ts';
import { composerOf } from './harness/window.ts';

test('settings that cannot be read are told with the remedy, count as none and stay as they are', async ({
  home,
  makeProject,
  start,
}) => {
  const file = join(home, 'vise', 'config', 'config.json');
  const broken = '{"settings": {"theme": "light",}}';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, broken);
  const desktop = await start({ words: [makeProject({ 'a.txt': '' })] });
  await answerDialogs(desktop);
  const page = await desktop.page();
  await page.getByRole('button', { name: 'Keep restricted' }).click();
  await expect(page.getByRole('tree', { name: 'Files' }).getByText('a.txt')).toBeVisible();
  await expect.poll(() => dialogsOf(desktop)).toEqual([expect.stringContaining('config.json')]);
  expect((await dialogsOf(desktop))[0]).toContain('Mend or remove it; until then the defaults are used.');
  expect(readFileSync(file, 'utf8')).toBe(broken);
});

test('a folder that is deleted while it is open is told, and what was typed stays until it is back', async ({
  makeProject,
  start,
}) => {
  const project = makeProject({ 'a.txt': '' });
  const desktop = await start({ words: [project] });
  const page = await desktop.page();
  await page.getByRole('button', { name: 'Keep restricted' }).click();
  await composerOf(page).fill('what I wanted');
  rmSync(project, { recursive: true });
  const gone = page.getByRole('alert').filter({ hasText: 'is not there any more' });
  await expect(gone).toContainText(project);
  mkdirSync(project);
  await expect(gone).toBeHidden();
  await expect(composerOf(page)).toHaveValue('what I wanted');
});

test('a session that cannot be kept is told with the remedy, and the message stays in its field', async ({
  home,
  makeProject,
  start,
}) => {
  mkdirSync(join(home, 'vise', 'state'), { recursive: true });
  writeFileSync(join(home, 'vise', 'state', 'sessions'), 'x');
  const block = { llm_base_url: 'http://127.0.0.1:9/v1', llm_model: 'test', llm_api_key: 'none' };
  configure(home, { active_provider: 'local', providers: { local: block }, settings: { mode: 'direct' } });
  const desktop = await start({ words: [makeProject({ 'a.txt': '' })] });
  const page = await desktop.page();
  await page.getByRole('button', { name: 'Keep restricted' }).click();
  await composerOf(page).fill('what I wanted');
  await composerOf(page).press('Enter');
  await expect(
    page.getByText(/^The session cannot be kept in .*Make the folder writable, or point VISE_HOME at another\.$/),
  ).toBeVisible();
  await expect(composerOf(page)).toHaveValue('what I wanted');
});
