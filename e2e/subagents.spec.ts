import { configure } from './harness/configure.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { composerOf, pressUntilGone } from './harness/window.ts';
import { startModelServer } from './modelServer.ts';

const start = (title: string) => ({ tool: 'subagent', input: { title, task: `Find the ${title}.` } });

test('subagents stand below their session, ask the person, report in their row and are stopped there', async ({
  page,
  serve,
  makeProject,
  home,
}) => {
  test.slow();
  const server = await startModelServer({
    replies: [
      { when: 'Look around', calls: [start('colour'), start('shape')] },
      { when: 'colour', calls: [{ tool: 'read_file', input: { filePath: 'a.txt' } }] },
      {
        when: 'colour',
        calls: [{ tool: 'ask_user', input: { question: 'Which colour?', choices: ['blue', 'green'] } }],
      },
      { when: 'colour', text: 'It is **blue**.', usage: { prompt_tokens: 1000, completion_tokens: 100 } },
      { when: 'shape', fault: 'hang' },
      { when: 'Look around', text: 'All is known.' },
    ],
  });
  const block = {
    llm_provider: 'openai_compatible',
    llm_base_url: server.url,
    llm_model: 'm',
    llm_api_key: 'k-1234567',
  };
  configure(home, {
    providers: { p: block },
    active_provider: 'p',
    models: { m: { price: { input: 10, output: 100 } } },
    settings: { mode: 'direct' },
  });
  const { url } = await serve({ project: makeProject({ 'a.txt': 'one\n' }) });
  await page.goto(url);
  await composerOf(page).fill('Look around');
  await composerOf(page).press('Enter');

  const sessions = page.getByRole('region', { name: 'Sessions' });
  const listed = sessions.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'Subagent' }) });
  await expect(listed).toHaveCount(2);
  const row = (title: string) => page.getByRole('article').filter({ hasText: `Subagent: ${title}` });
  await expect(row('shape').getByRole('button', { name: 'Stop the subagent' })).toBeVisible();
  await expect(listed.filter({ hasText: 'colour' })).toContainText('(1)');
  await shootThemes(page, 'subagents-run');
  await row('shape').getByRole('button', { name: 'Stop the subagent' }).click();
  await expect(row('shape')).toContainText('The person stopped the subagent.');

  await page.getByRole('button', { name: /^Inbox/ }).click();
  const inbox = page.getByRole('dialog', { name: 'Inbox' });
  await expect(inbox).toContainText('Subagent of Look around');
  const card = inbox.getByRole('region', { name: /^Approval: Ask: Which colour/ });
  await pressUntilGone(card.getByRole('button', { name: 'blue', exact: true }), card);
  await inbox.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('All is known.')).toBeVisible();

  const told = row('colour');
  await expect(told).toContainText('$');
  await told.getByRole('button', { name: /Subagent: colour/ }).click();
  await expect(told).toContainText('Read a.txt');
  await expect(told.getByText('blue', { exact: true })).toBeVisible();
  await shootThemes(page, 'subagents-done');
  await told.getByRole('button', { name: 'Open the subagent’s session' }).click();
  await expect(page.getByText('Find the colour.').last()).toBeVisible();
  await expect(listed.locator('[aria-current=true]')).toHaveCount(1);
  await server.close();
});
