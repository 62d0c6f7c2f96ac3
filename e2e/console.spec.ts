import type { Locator, Page } from '@playwright/test';
import { configure, scripted } from './harness/configure.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { until } from './harness/until.ts';
import { composerOf, pressUntilGone } from './harness/window.ts';

// One command that does all that output can do, and waits for an answer.
const talk = String.raw`
const say = (text) => process.stdout.write(text);
say('\u001b]0;stolen title\u0007\u001b]52;c;' + Buffer.from('stolen').toString('base64') + '\u0007');
for (let n = 1; n <= 6000; n += 1) say('line ' + n + (n % 1000 === 500 ? ' NEEDLE' : '') + '\n');
say('\u001b]8;;javascript:document.title="stolen"\u001b\\press me\u001b]8;;\u001b\\\n');
say('http://127.0.0.1:9/page\n');
say('lib/deep/a.ts:30:5 and lib/gone.ts:1\n');
say('Go on? [y/n] ');
process.stdin.once('data', (data) => {
  say('answered ' + JSON.stringify(String(data).trim()) + '\n');
  process.exitCode = 3;
  process.stdin.destroy();
});
`;
const source = Array.from({ length: 60 }, (_, index) => `export const a${index + 1} = ${index + 1};\n`).join('');

/** What is tried again until it holds. */
const patience = { timeout: 60_000 };

const consoleOf = (page: Page): Locator => page.getByRole('region', { name: 'Console' });
const screenOf = (page: Page): Locator => consoleOf(page).getByRole('group', { name: /^Terminal: / });
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** What is on the screen with all that can be scrolled to, by the keys with which a person copies it. */
async function copiedScreen(page: Page): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await screenOf(page).getByRole('textbox').focus();
  await page.keyboard.press('Control+Shift+A');
  await page.keyboard.press('Control+C');
  return until('the copy to arrive', () => clipboard(page));
}

/** What a screen of any height has. */
const endOf = (screen: string): string => screen.split('\n').slice(-4000).join('\n');

/** The middle of a cell, so many rows above the last one. The keyboard's field is as large as a cell. */
async function cellAbove(
  page: Page,
  rows: number,
  column: number,
): Promise<{ readonly x: number; readonly y: number }> {
  const cursor = await screenOf(page).getByRole('textbox').boundingBox();
  const screen = await screenOf(page).locator('.xterm-screen').boundingBox();
  if (!cursor || !screen) throw new Error('There is no screen.');
  return { x: screen.x + (column - 0.5) * cursor.width, y: screen.y + screen.height - (rows + 0.5) * cursor.height };
}

test('the console: facts, search, copy, links, an answer, a shell, restart and stop; output does nothing by itself', async ({
  context,
  home,
  makeProject,
  page,
  serve,
}) => {
  // Many steps: minutes on a busy machine, half of one on an idle one.
  test.setTimeout(600_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const project = makeProject({ 'talk.js': talk, 'lib/deep/a.ts': source });
  configure(home, { settings: { mode: 'direct' } });
  const command = 'node talk.js';
  const args = scripted(home, [
    { calls: [{ tool: 'start_background_task', input: { command } }] },
    { text: 'It talks.' },
  ]);
  const { url } = await serve({ project, args });
  await page.goto(url);
  await composerOf(page).fill('talk');
  await composerOf(page).press('Enter');
  const once = page.getByRole('button', { name: 'Once', exact: true });
  await expect(once).toBeVisible();
  await page.evaluate(() => navigator.clipboard.writeText('mine'));
  await pressUntilGone(once, once);

  const console = consoleOf(page);
  const tab = console.getByRole('tab', { name: /talk\.js/ });
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await expect(console.getByText('in the background: asked to')).toBeVisible();
  await expect(console.getByText(/^PID \d+$/)).toBeVisible();
  await expect(console.getByText(/^last output /)).toBeVisible();

  // C8: neither the clipboard nor the title is the output's.
  await screenOf(page).getByRole('textbox').focus();
  await page.keyboard.press('Control+F');
  const search = console.getByRole('search');
  const field = search.getByRole('textbox');
  await field.fill('go on?');
  await expect(search.getByText('1 of 1')).toBeVisible();
  expect(await clipboard(page)).toBe('mine');
  await expect(page).not.toHaveTitle(/stolen/);

  // Searched: on the screen place by place, and in the whole log, which has more.
  await field.fill('needle');
  await expect(search.getByText('1 of 5')).toBeVisible();
  await field.press('Enter');
  await expect(search.getByText('2 of 5')).toBeVisible();
  await field.press('Shift+Enter');
  await field.press('Shift+Enter');
  await expect(search.getByText('5 of 5')).toBeVisible();
  await search.getByRole('button', { name: '6 lines in the whole log' }).click();
  const hits = console.getByRole('region', { name: '6 lines in the whole log' });
  await expect(hits.getByText('line 499', { exact: true })).toBeVisible();
  await expect(hits.locator('mark').first()).toHaveText('NEEDLE');
  await shootThemes(page, 'console-find');
  await search.getByRole('button', { name: 'Match case' }).click();
  await expect(search.getByText('no match')).toBeVisible();
  await expect(search.getByRole('button', { name: '0 lines in the whole log' })).toBeVisible();
  // Back to the end, where the prompt is.
  await search.getByRole('button', { name: 'Match case' }).click();
  await field.fill('go on?');
  await expect(search.getByText('1 of 1')).toBeVisible();
  await field.press('Escape');
  await expect(search).toBeHidden();
  await expect(screenOf(page).getByRole('textbox')).toBeFocused();

  // Copied: the screen by keys, the whole output by a button, as words without commands to a terminal.
  const screen = await copiedScreen(page);
  expect(screen).toMatch(/line 5999\nline 6000\npress me\nhttp:\/\/127\.0\.0\.1:9\/page\n.*\nGo on\? \[y\/n\] ?$/);
  await console.getByRole('button', { name: 'Copy the output' }).click();
  await until('the whole output to be copied', async () => (await clipboard(page)).startsWith('line 1\nline 2\n'));
  expect(await clipboard(page)).toMatch(/\npress me\n/);

  // Pressed: what acts does nothing, an address asks, a place opens its file there.
  const press = async (rows: number): Promise<void> => {
    const { x, y } = await cellAbove(page, rows, 3);
    await page.mouse.move(x + 1, y);
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
  };
  const dialog = page.getByRole('dialog', { name: 'Open this address?' });
  await press(3);
  await expect(async () => {
    await press(2);
    await expect(dialog).toBeVisible({ timeout: 2_000 });
  }).toPass(patience);
  await expect(dialog.getByText('http://127.0.0.1:9/page')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).not.toHaveTitle(/stolen/);
  const files = page.getByRole('tabpanel', { name: 'Files' });
  await expect(async () => {
    await press(1);
    await expect(files).toBeVisible({ timeout: 2_000 });
  }).toPass(patience);
  await expect(files.getByText('a.ts', { exact: true })).toBeVisible();
  await expect(files.locator('.line-sought')).toBeVisible();
  await expect(files.getByText('export const a30 = 30;')).toBeVisible();
  await page.getByRole('tab', { name: 'Plan' }).click();
  await console.getByRole('button', { name: 'Places in the output' }).focus();
  await page.keyboard.press('Enter');
  const place = page.getByRole('menuitem', { name: 'lib/deep/a.ts:30:5' });
  await expect(place).toBeVisible();
  await expect(page.getByRole('menuitem')).toHaveText(['lib/deep/a.ts:30:5', 'http://127.0.0.1:9/page']);
  await place.press('Enter');
  await expect(files.locator('.line-sought')).toBeVisible();

  // Beside it a shell of the person's own.
  await console.getByRole('button', { name: 'New shell' }).click();
  await expect(console.getByText('yours', { exact: true })).toBeVisible();
  await expect(screenOf(page).getByRole('textbox')).toBeFocused();
  await page.keyboard.type('echo $((40+2))-$((1+1))');
  await page.keyboard.press('Enter');
  await expect(async () => expect(await copiedScreen(page)).toContain('42-2')).toPass(patience);

  // A reload shows the same task with the same screen.
  await tab.click();
  await expect(async () => expect(endOf(await copiedScreen(page))).toBe(endOf(screen))).toPass(patience);
  await page.reload();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await expect(async () => expect(endOf(await copiedScreen(page))).toBe(endOf(screen))).toPass(patience);
  await expect(console.getByRole('tab')).toHaveCount(2);

  // Answered without typing into the screen.
  await console.getByRole('button', { name: 'Send input' }).click();
  const input = console.getByRole('textbox', { name: 'Input for the program' });
  await input.fill('yes');
  await input.press('Enter');
  await expect(tab).toContainText('exit 3');
  await expect(input).toBeHidden();
  await expect(async () => expect(await copiedScreen(page)).toContain('answered "yes"')).toPass(patience);

  // Once more, and stopped.
  await console.getByRole('button', { name: 'Restart' }).click();
  await expect(tab).toHaveCount(2);
  const again = tab.and(console.getByRole('tab', { selected: true }));
  await expect(again).toContainText('running:');
  await console.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(again).toContainText('stopped:');
});
