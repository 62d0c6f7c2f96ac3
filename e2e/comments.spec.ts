import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { configure } from './harness/configure.ts';
import { beginRepository } from './harness/gitRepository.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { applyButton, composerOf, reviewOf } from './harness/window.ts';
import { startModelServer } from './modelServer.ts';

const lines = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 12 }, (_, at) => `${changed[at + 1] ?? `line ${at + 1}`}\n`).join('');
const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });

/** Begins a comment on a drawn line, which shows its button when the pointer is there. */
async function commentOn(page: Page, line: Locator, text: string): Promise<void> {
  await line.hover();
  await line.getByRole('button', { name: /^Comment on / }).click();
  const field = page.getByRole('dialog').getByRole('textbox', { name: /^Comment on / });
  await field.fill(text);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(field).toHaveCount(0);
}

/** Selects the text of drawn lines, from the first to the last of them. */
async function select(first: Locator, last: Locator): Promise<void> {
  const [from, to] = [await first.elementHandle(), await last.elementHandle()];
  await first.evaluate((start, end) => {
    if (!start || !end) throw new Error('no lines');
    getSelection()?.setBaseAndExtent(start, 0, end, end.childNodes.length);
  }, to);
  await from?.dispose();
}

test('comments on lines of the plan, of a file and of diffs survive a reload and go as one message', async ({
  page,
  serve,
  makeProject,
  home,
}) => {
  test.slow();
  const server = await startModelServer({
    replies: [
      call('report_findings', { key_findings: ['a list of lines'], relevant_files: ['a.txt'], constraints: [] }),
      call('report_plan', { steps: [{ intent: 'Raise the third line', target_files: ['a.txt'] }] }),
      call('write_file', { filePath: 'a.txt', content: lines({ 3: 'third', 4: 'fourth' }) }),
      call('report_done', { summary: 'Raised.' }),
      { text: 'Raised.' },
      { text: 'All comments are read.' },
    ],
  });
  try {
    const block = { llm_provider: 'openai_compatible', llm_base_url: server.url, llm_model: 'm', llm_api_key: 'k' };
    configure(home, { active_provider: 'local', providers: { local: block }, settings: { mode: 'phased' } });
    const project = makeProject({ 'a.txt': lines(), 'b.txt': 'one\ntwo\nthree\n' });
    beginRepository(project);
    const { url } = await serve({ project });
    await page.goto(url);
    await composerOf(page).fill('Raise the third line');
    await composerOf(page).press('Enter');
    await expect(applyButton(page)).toBeVisible();

    // What waits, as proposed.
    const review = reviewOf(page);
    const proposed = (line: number): Locator => review.locator(`[data-line="${line}"][data-text="proposed a.txt"]`);
    await commentOn(page, proposed(5), 'Leave this one.');
    await applyButton(page).click();
    await expect(page.getByText('Raised.').first()).toBeVisible();

    // What was written: several lines at once.
    const written = (line: number): Locator => review.locator(`[data-line="${line}"][data-text="file a.txt"]`);
    await select(written(3), written(4));
    await commentOn(page, written(4), 'Why these two?');
    await expect(review.getByRole('button', { name: 'Comment on a.txt:3-4', exact: true })).toBeVisible();

    // The diff of git, and the side that goes.
    await page.getByRole('tab', { name: 'Git' }).click();
    const git = page.getByRole('region', { name: 'Changed' });
    await git.getByRole('button', { name: /a\.txt/, expanded: false }).click();
    await commentOn(page, git.locator('[data-line="3"][data-text="before a.txt"]'), 'This was better.');

    // The plan.
    await page.getByRole('tab', { name: 'Plan' }).click();
    await page.getByRole('button', { name: 'Comment on Plan, step 1: Plan, step' }).click();
    await page.getByRole('textbox', { name: 'Comment on Plan, step 1' }).first().fill('And the last one.');
    await page.keyboard.press('Escape');

    // A file to read.
    await page.getByRole('tree', { name: 'Files' }).getByText('b.txt').click();
    const viewer = page.getByRole('tabpanel', { name: 'Files' });
    await viewer.getByText('two', { exact: true }).click();
    await viewer.getByRole('button', { name: 'Comment on b.txt:2: b.txt' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Comment on b.txt:2' }).fill('In words, pl');

    await page.reload();
    const tray = page.getByRole('region', { name: '5 comments' });
    await expect(tray.getByRole('listitem')).toHaveCount(5);
    await tray.getByRole('textbox', { name: 'Comment on b.txt:2' }).fill('In words, please.');
    await tray.getByRole('button', { name: 'Remove the comment on a.txt:5' }).click();
    writeFileSync(join(project, 'b.txt'), 'zero\nnull\none\ntwo\nthree\n');
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    const rest = page.getByRole('region', { name: '4 comments' });
    await expect(rest.getByRole('listitem').filter({ hasText: 'b.txt:2' })).toContainText('now at line 4');
    await shootThemes(page, 'comments');
    await composerOf(page).fill('Please:');
    await rest.getByRole('button', { name: 'Send comments' }).click();
    await expect(page.getByText('All comments are read.')).toBeVisible();
    await expect(page.getByRole('region', { name: /comment/ })).toHaveCount(0);
    const message = [
      'Please:',
      'a.txt:3-4\n> third\n> fourth\nWhy these two?',
      'a.txt:3 (as it was before the change)\n> line 3\nThis was better.',
      'Plan, step 1\n> Raise the third line\nAnd the last one.',
      'b.txt:2 (now at line 4)\n> two\nIn words, please.',
    ].join('\n\n');
    expect(server.requests.at(-1)?.text).toContain(JSON.stringify(message).slice(1, -1));
  } finally {
    await server.close();
  }
});
