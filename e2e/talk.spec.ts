import type { Locator, Page } from '@playwright/test';
import { configure, scripted } from './harness/configure.ts';
import { connect } from './harness/connect.ts';
import { readTree } from './harness/folders.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { until } from './harness/until.ts';
import { composerOf, pressUntilGone } from './harness/window.ts';

/** What is tried again until it holds. */
const patience = { timeout: 60_000 };

const long = (word: string): string =>
  Array.from({ length: 120 }, (_, n) => `Line ${n + 1} of the ${word} text.\n\n`).join('');
const first = `A needle at the start.\n\n${long('first')}`;
const last =
  'See `a.txt`:\n\n```ts\nconst copied = 1;\n```\n\n[web](http://127.0.0.1:9/x) and [act](javascript:document.title=1).';

const talkOf = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' });
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
const topOf = (page: Page): Promise<number> => talkOf(page).evaluate(({ scrollTop }) => Math.round(scrollTop));

/** Pastes or drops files as a browser hands them over. */
async function give(
  page: Page,
  way: 'paste' | 'drop',
  files: readonly { name: string; type: string; bytes: readonly number[] }[],
) {
  await composerOf(page).evaluate(
    (field, { way: how, given }) => {
      const data = new DataTransfer();
      for (const { name, type, bytes } of given) data.items.add(new File([Uint8Array.from(bytes)], name, { type }));
      const event =
        how === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
      field.dispatchEvent(event);
    },
    { way, given: files },
  );
}

const bytesOf = (text: string): readonly number[] => [...new TextEncoder().encode(text)];
const dot = [
  ...Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
];

test('the conversation: search, copy, safe links, one undo, attachments, notifications, and a narrow window', async ({
  context,
  home,
  makeProject,
  page,
  serve,
}) => {
  // Many steps: minutes on a busy machine, half of one on an idle one.
  test.setTimeout(600_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write', 'notifications']);
  // What the system would show is noted instead.
  await page.addInitScript(() => {
    const told: string[] = [];
    class Noted extends EventTarget {
      static readonly permission = 'granted';
      static requestPermission = async () => 'granted';
      onclick = null;
      constructor(title: string, { body }: { body: string }) {
        super();
        told.push(`${title}: ${body}`);
      }
      close(): void {}
    }
    Object.assign(window, { Notification: Noted, told });
  });
  const project = makeProject({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  const before = readTree(project);
  configure(home, { settings: { mode: 'direct' } });
  const edit = (filePath: string, oldStr: string) => ({
    tool: 'edit_file',
    input: { filePath, oldStr, newStr: 'new' },
  });
  const args = scripted(home, [
    { text: first },
    { text: long('second'), delayMs: 4000 },
    { calls: [edit('a.txt', 'one'), edit('b.txt', 'two')] },
    { text: last },
    { text: 'Seen.' },
  ]);
  const { url } = await serve({ project, args });
  await page.goto(url);
  const send = async (text: string): Promise<void> => {
    await composerOf(page).fill(text);
    await composerOf(page).press('Enter');
  };

  // It follows what is written; once the person has scrolled up, it stays where they are.
  await send('begin');
  const talk = talkOf(page);
  await expect(talk.getByText('Line 120 of the first text.')).toBeVisible();
  await send('go on');
  await expect(composerOf(page)).toHaveValue('');
  await talk.focus();
  await page.keyboard.press('Home');
  await expect(talk.getByText('A needle at the start.')).toBeVisible();
  const newest = page.getByRole('button', { name: 'Jump to the newest' });
  await expect(newest).toBeVisible();
  // A key scrolls by an animation.
  await until('the start to be shown', async () => (await topOf(page)) === 0);
  const client = await connect(url);
  const bench = await client.call('workbench.watch', {});
  const session = bench.ok ? (Object.keys(bench.value.state.sessions)[0] ?? '') : '';
  await until('the second reply to end', async () => {
    const watched = await client.call('session.watch', { session });
    return watched.ok && watched.value.state.turns === 2 && watched.value.state.turn === null;
  });
  expect(await topOf(page)).toBe(0);
  await newest.click();
  await expect(talk.getByText('Line 120 of the second text.')).toBeVisible();

  // Searched: the first message is not even drawn.
  await page.keyboard.press('Control+F');
  const search = page.getByRole('main').getByRole('search');
  const field = search.getByRole('textbox', { name: 'Search the conversation' });
  await field.fill('line 7 of');
  await expect(search.getByText('2 of 2')).toBeVisible();
  await field.press('Enter');
  await expect(search.getByText('1 of 2')).toBeVisible();
  await field.fill('NEEDLE');
  await expect(search.getByText('1 of 1')).toBeVisible();
  await expect(talk.getByText('A needle at the start.')).toBeInViewport();
  await shootThemes(page, 'talk-find');
  await search.getByRole('button', { name: 'Match case' }).click();
  await expect(search.getByText('no match')).toBeVisible();
  await field.press('Escape');
  await expect(search).toBeHidden();
  await expect(talk).toBeFocused();

  // Two edits of one reply are one line, and one way back.
  await page.getByRole('button', { name: 'Jump to the newest' }).click();
  await send('edit');
  const applyAll = talk.getByRole('button', { name: 'Apply all' });
  await expect(async () => {
    if (await applyAll.isVisible()) await applyAll.click({ timeout: 2_000 });
    await expect(talk.getByText('2 edits in 2 files', { exact: true })).toBeVisible({ timeout: 3_000 });
  }).toPass(patience);
  expect(readTree(project)).toEqual({ 'a.txt': 'new\n', 'b.txt': 'new\n' });
  const written = talk.getByRole('article').filter({ hasText: '2 edits in 2 files' });
  await expect(written.getByText('+2')).toBeVisible();
  await written.getByRole('button', { name: 'Undo' }).click();
  await expect(written.getByRole('button', { name: 'Redo' })).toBeVisible();
  expect(readTree(project)).toEqual(before);

  // Copied by the keyboard: a block of code, and a whole message. What acts is no link.
  await expect(talk.getByText('const copied = 1;')).toBeVisible();
  await talk.getByRole('button', { name: 'Copy code' }).press('Enter');
  await until('the code to be copied', async () => (await clipboard(page)) === 'const copied = 1;');
  // Into a file, by keys: the request stands in the message, with the code and the file.
  await composerOf(page).fill('First this.');
  await talk.getByRole('button', { name: 'Apply to a file…' }).press('Enter');
  const chooser = page.getByRole('dialog', { name: 'Apply to a file…' });
  await chooser.getByPlaceholder('Into which file?').fill('b.txt');
  await expect(chooser.getByRole('option', { selected: true })).toContainText('b.txt');
  await shootThemes(page, 'apply-code');
  await page.keyboard.press('Enter');
  await expect(composerOf(page)).toHaveValue(
    `First this.\n\nPut this code where it belongs in @b.txt\n\n\`\`\`ts\nconst copied = 1;\n\`\`\`\n`,
  );
  await expect(composerOf(page)).toBeFocused();
  await composerOf(page).fill('');
  await talk.getByRole('button', { name: 'Copy message' }).last().press('Enter');
  await until('the message to be copied', async () => (await clipboard(page)) === last);
  await expect(talk.getByRole('link')).toHaveText(['web']);
  await talk.getByRole('link', { name: 'web' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open this address?' });
  await expect(dialog.getByText('http://127.0.0.1:9/x')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // Taken along: bounded, by names that hide nothing, removed by keys, there after a reload.
  await give(page, 'paste', [{ name: 'dot.png', type: 'image/png', bytes: dot }]);
  await give(page, 'drop', [
    { name: 'note\u202e.txt', type: 'text/plain', bytes: bytesOf('noted') },
    { name: 'away.txt', type: '', bytes: bytesOf('away') },
    { name: 'bad.bin', type: '', bytes: [0, 1, 2] },
  ]);
  const attached = page.getByRole('list', { name: 'Attached' });
  await expect(attached.getByRole('listitem')).toHaveCount(3);
  await expect(page.getByText('bad.bin is neither text nor')).toBeVisible();
  await expect(attached.getByText('note\uFFFD.txt')).toBeVisible();
  await composerOf(page).focus();
  await page.keyboard.press('Backspace');
  await expect(attached.getByRole('button', { name: 'Remove away.txt' })).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(attached.getByRole('listitem')).toHaveCount(2);
  await shootThemes(page, 'attached');
  await page.reload();
  await expect(attached.getByRole('listitem')).toHaveCount(2);
  await expect(attached.getByRole('img', { name: 'dot.png' })).toBeVisible();

  // A mention is completed by keys.
  await composerOf(page).pressSequentially('look at @b.t');
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^b\.txt/);
  await page.keyboard.press('Tab');
  await expect(composerOf(page)).toHaveValue('look at @b.txt ');

  // Told while the window is not looked at: off at first, switched on by a click.
  const told = (): Promise<readonly string[]> => page.evaluate(() => (window as unknown as { told: string[] }).told);
  await page.keyboard.press('Control+,');
  const box = page.getByRole('checkbox', { name: 'Notifications' });
  await expect(box).not.toBeChecked();
  await box.click();
  await expect(box).toBeChecked();
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    document.hasFocus = () => false;
  });
  await composerOf(page).press('Enter');
  await expect(talk.getByText('Seen.')).toBeVisible();
  await until('the end to be told', async () => (await told()).length > 0);
  expect(await told()).toEqual(['begin: Done.']);
  await expect(attached).toBeHidden();
  const watched = await client.call('session.watch', { session });
  const items = watched.ok ? watched.value.state.items.flat() : [];
  const users = items.filter((item) => item.kind === 'user');
  expect(users.at(-1)?.attachments).toMatchObject([
    { kind: 'file', path: 'b.txt' },
    { kind: 'image', mediaType: 'image/png', name: 'dot.png' },
    { kind: 'text', title: 'note\uFFFD.txt', text: 'noted' },
  ]);

  // The browser tab has nothing yet, and says what to do.
  await page.keyboard.press('Alt+4');
  await expect(page.getByText('No page yet')).toBeVisible();
  await page.getByRole('button', { name: 'Ask for a page…' }).click();
  await expect(composerOf(page)).toHaveValue(/^Open http:/);

  // Many sessions: those in sight are drawn, and the last one can be reached.
  for (let n = 0; n < 60; n += 1) await client.call('session.create', { project, title: `Session ${n}` });
  client.close();
  const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('list');
  await expect(sessions.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '61');
  expect(await sessions.getByRole('listitem').count()).toBeLessThan(61);
  await expect(async () => {
    await sessions.getByRole('listitem').last().scrollIntoViewIfNeeded();
    await expect(sessions.getByRole('button', { name: /^begin/ })).toBeVisible({ timeout: 500 });
  }).toPass(patience);

  // Narrow: one panel at a time, nothing cut.
  await page.setViewportSize({ width: 640, height: 800 });
  const panels = page.getByRole('tablist', { name: 'Panels' });
  for (const name of ['Sessions', 'Review', 'Console', 'Conversation']) {
    await panels.getByRole('tab', { name }).click();
    await expect(page.getByRole('tabpanel', { name }).first()).toBeVisible();
    const wider = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('header, [role=tablist], main, footer')]
        .filter((part) => part.scrollWidth > part.clientWidth + 1)
        .map(({ tagName }) => tagName),
    );
    expect({ name, wider }).toEqual({ name, wider: [] });
  }
  await shootThemes(page, 'narrow');
  // What is asked to be shown comes to the front.
  await page.keyboard.press('Alt+3');
  await expect(panels.getByRole('tab', { name: 'Review' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Control+i');
  await expect(composerOf(page)).toBeFocused();
});

test('the picture that the agent took of a page shows in the browser tab and with its call', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const project = makeProject({ 'page.html': '<!doctype html><title>A page</title><h1>Seen by the agent</h1>' });
  configure(home, { settings: { mode: 'direct' } });
  const args = scripted(home, [
    { calls: [{ tool: 'browser_navigate', input: { url: `file://${project}/page.html` } }] },
    { calls: [{ tool: 'browser_screenshot', input: {} }] },
    { text: 'Looked.' },
  ]);
  const { url } = await serve({ project, args });
  await page.goto(url);
  await composerOf(page).fill('Look at the page');
  await composerOf(page).press('Enter');
  const talk = talkOf(page);
  for (const name of [/^Approval: Open file:/, /^Approval: Take a picture/]) {
    const question = talk.getByRole('region', { name });
    await pressUntilGone(question.getByRole('button', { name: 'Once' }), question);
  }
  await expect(talk.getByText('Looked.')).toBeVisible(patience);
  await page.keyboard.press('Alt+4');
  const shown = page.getByRole('img', { name: 'Picture of A page' });
  await expect(shown).toBeVisible();
  // It was drawn, and not a broken one.
  expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1280);
  await talk.getByRole('button', { name: /Take a picture of the page/ }).click();
  await expect(talk.getByRole('img', { name: 'Picture' })).toBeVisible();
});
