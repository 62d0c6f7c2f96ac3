import { scripted } from './harness/configure.ts';
import { expect, test } from './harness/test.ts';
import { themes, violations } from './harness/themes.ts';
import { applyButton, changeSetCard, composerOf, openFreeSession, reviewOf, startSample } from './harness/window.ts';

test('nothing serious bars the way: welcome, main window, review, searches, console, browser, inbox, settings, a narrow window, in three themes', async ({
  page,
  serve,
}) => {
  // Each look at the whole page takes axe seconds on an idle machine, and there are more than twenty of them.
  test.setTimeout(1_500_000);
  // All of them are told at once: one that is mended must not hide the next.
  const found: string[] = [];
  const check = async (place: string, within = 'html'): Promise<void> => {
    found.push(...(await violations(page, within, themes)).map((violation) => `${place}: ${violation}`));
  };
  const { url } = await serve();
  await page.goto(url);
  await expect(page.getByRole('button', { name: /Try the sample project/ })).toBeVisible();
  await check('welcome');
  await startSample(page, url);
  await expect(changeSetCard(page)).toBeVisible();
  const edit = page.getByRole('button', { name: 'Edit', exact: true }).first();
  await expect(page.locator('.diff-line .word-keyword').first()).toBeVisible();
  await check('review');
  await edit.click();
  await expect(page.locator('.monaco-diff-editor .view-line').first()).toBeVisible();
  await check('an edited file', '.monaco-diff-editor');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('tab', { name: 'Plan' }).click();
  await check('plan', '[role=tabpanel]');
  await page.getByRole('tab', { name: 'Browser' }).click();
  await expect(page.getByText('No page yet')).toBeVisible();
  await check('browser', '[role=tabpanel]');
  await page.keyboard.press('Alt+t');
  const console = page.getByRole('region', { name: 'Console' });
  await expect(console.getByText('yours', { exact: true })).toBeVisible();
  await console.getByRole('button', { name: 'Send input' }).click();
  await console.getByRole('button', { name: 'Search the output' }).click();
  await expect(console.getByRole('search')).toBeVisible();
  await check('console', '[aria-label="Console"]');
  await page.keyboard.press('Escape');
  // A shell of one's own has its keys first.
  await composerOf(page).click();
  await page.keyboard.press('Control+f');
  await page.getByRole('main').getByRole('search').getByRole('textbox').fill('the');
  await check('conversation', 'main');
  await page.keyboard.press('Escape');
  await composerOf(page).fill('/');
  await expect(page.getByRole('listbox', { name: 'Commands' })).toBeVisible();
  await check('slash commands', 'main');
  await composerOf(page).fill('');

  await page.keyboard.press('Alt+i');
  const inbox = page.getByRole('dialog', { name: 'Inbox' });
  await expect(inbox.getByRole('button', { name: 'Apply all' })).toBeVisible();
  await check('inbox', '[role=dialog]');
  await inbox.getByRole('button', { name: 'Answered' }).click();
  await expect(inbox.getByText('Nothing was asked yet.')).toBeVisible();
  await check('history', '[role=dialog]');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+,');
  for (const section of ['Providers', 'General', 'Shell', 'Rules', 'CLI specs']) {
    await page.getByRole('tab', { name: section }).click();
    await expect(page.getByRole('tabpanel', { name: section }).locator('.skeleton')).toHaveCount(0);
    await check(`settings: ${section}`, '[role=dialog]');
  }
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: /^Review/ }).click();
  await expect(applyButton(page)).toBeVisible();
  await page.setViewportSize({ width: 640, height: 800 });
  await expect(page.getByRole('tablist', { name: 'Panels' })).toBeVisible();
  await check('narrow');
  expect(found).toEqual([]);
});

test('text has a contrast of 7 in the high-contrast theme, of 4.5 in the others: review, list of sessions, menus, dialog of a rewind', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  test.slow();
  const found: string[] = [];
  const check = async (place: string, within: string): Promise<void> => {
    const here = await violations(page, within, themes);
    found.push(...here.map((violation) => `${place}: ${violation}`));
  };
  const project = makeProject({ 'a.ts': "// Says one.\nexport const one: number = 1;\nexport const old = 'old';\n" });
  const write = (content: string) => ({ tool: 'write_file', input: { filePath: 'a.ts', content } });
  const args = scripted(home, [
    { calls: [write('// Says two.\nexport const one: number = 2;\nexport function two() {}\n')] },
    { text: 'Said **two**, see `a.ts`:\n\n```ts\n// two\nconst two = 2;\n```\n' },
    { calls: [write("// Says three.\nexport const one: string = 'three';\n")] },
  ]);
  const { url } = await serve({ project, args });
  const { client, session } = await openFreeSession(page, url, project);
  await composerOf(page).fill('Write two');
  await composerOf(page).press('Enter');
  const talk = page.getByRole('log', { name: 'Conversation' });
  await expect(talk.getByText('Said two')).toBeVisible();

  // What was written, and what all of it changed, with its buttons.
  await page.getByRole('tab', { name: /^Review/ }).click();
  await reviewOf(page).getByRole('button', { name: 'All since the start' }).click();
  await expect(reviewOf(page).locator('[data-mark] .word-comment').first()).toBeVisible();
  await expect(
    reviewOf(page)
      .getByRole('button', { name: /^Take back/ })
      .first(),
  ).toBeVisible();
  await check('the whole window', 'html');

  const message = talk.locator('.group').filter({ hasText: 'Write two' }).first();
  await message.hover();
  await message.getByRole('button', { name: 'Go back to here…' }).click();
  await expect(page.getByRole('dialog').getByText(/1 file goes back/)).toBeVisible();
  await check('rewind', '[role=dialog]');
  await page.keyboard.press('Escape');

  await page.getByRole('region', { name: 'Sessions' }).getByRole('button', { name: 'Which sessions' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await check('filter of sessions', '[role=menu]');
  await page.keyboard.press('Escape');
  await page.getByRole('tree', { name: 'Files' }).getByText('a.ts').click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
  await check('menu of a file', '[role=menu]');
  await page.keyboard.press('Escape');

  // What shows only with the focus.
  await page.getByRole('button', { name: /^Session actions/ }).focus();
  await check('list of sessions', '[aria-label="Sessions"]');
  await page.getByRole('button', { name: 'Actions: a.ts' }).focus();
  await check('tree', '[aria-label="Files"]');

  // Waiting edits: comments that change among them.
  await client.call('session.configure', { session, allow: 'none' });
  await composerOf(page).fill('Write three');
  await composerOf(page).press('Enter');
  await expect(applyButton(page)).toBeVisible();
  await expect(reviewOf(page).locator('[data-mark=added] .word-comment').first()).toBeVisible();
  await check('waiting edits', 'html');
  client.close();
  expect(found).toEqual([]);
});
