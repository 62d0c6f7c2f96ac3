import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configure } from './harness/configure.ts';
import { expect, test } from './harness/test.ts';
import { composerOf, pressUntilGone } from './harness/window.ts';
import { startModelServer } from './modelServer.ts';

test('a command of the person is completed and sent, and a question with likely answers is answered by a button', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const ask = { calls: [{ tool: 'ask_user', input: { question: 'Which colour?', choices: ['blue', 'green'] } }] };
  const server = await startModelServer({ replies: [ask, { text: 'Painted green.' }] });
  try {
    const block = { llm_provider: 'openai_compatible', llm_base_url: server.url, llm_model: 'm', llm_api_key: 'k' };
    configure(home, { active_provider: 'local', providers: { local: block }, settings: { mode: 'direct' } });
    const folder = join(home, 'vise', 'config', 'commands');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'paint.md'),
      '---\ndescription: Paint a thing\nargument-hint: [thing]\n---\nPaint $ARGUMENTS with two coats.\n',
    );
    const { url } = await serve({ project: makeProject({ 'a.txt': 'old\n' }) });
    await page.goto(url);
    const composer = composerOf(page);
    await composer.pressSequentially('/pai');
    await expect(page.getByRole('option', { name: /\/paint \[thing\]/ })).toContainText('Paint a thing');
    await composer.press('Enter');
    await expect(composer).toHaveValue('/paint ');
    await composer.pressSequentially('the wall');
    await composer.press('Enter');
    const card = page.getByRole('log').getByRole('region', { name: /^Approval: Ask: Which colour\?/ });
    await pressUntilGone(card.getByRole('button', { name: 'green', exact: true }), card);
    await expect(page.getByRole('log')).toContainText('Painted green.');
    await expect(page.getByRole('log')).toContainText('/paint the wall');
    expect(server.requests[0]?.text).toContain('Paint the wall with two coats.');
    expect(server.requests[1]?.text).toContain('green');

    await composer.fill('/unheard of');
    await composer.press('Enter');
    await expect(page.getByText(/unknown command: \/unheard/)).toBeVisible();
  } finally {
    await server.close();
  }
});
