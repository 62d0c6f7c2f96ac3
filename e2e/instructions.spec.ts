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

test('several questions are one form in one card, whose words survive a reload, and one answer', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const input = {
    question: 'Which rooms?',
    choices: ['kitchen', 'hall', 'bath'],
    multiple: true,
    more: [{ question: 'Which colour?', choices: ['blue', 'green'] }, { question: 'Anything else?' }],
  };
  const server = await startModelServer({
    replies: [{ calls: [{ tool: 'ask_user', input }] }, { text: 'Painted as said.' }],
  });
  try {
    const block = { llm_provider: 'openai_compatible', llm_base_url: server.url, llm_model: 'm', llm_api_key: 'k' };
    configure(home, { active_provider: 'local', providers: { local: block }, settings: { mode: 'direct' } });
    const { url } = await serve({ project: makeProject({ 'a.txt': 'old\n' }) });
    await page.goto(url);
    await composerOf(page).fill('Paint.');
    await composerOf(page).press('Enter');
    const card = page.getByRole('log').getByRole('region', { name: /^Approval: Ask 3 questions: Which rooms\?/ });
    const rooms = card.getByRole('group', { name: /Which rooms\?/ });
    const colour = card.getByRole('group', { name: /Which colour\?/ });
    await rooms.getByRole('checkbox', { name: 'bath' }).check();
    await rooms.getByRole('checkbox', { name: 'kitchen' }).check();
    await colour.getByRole('radio', { name: 'green' }).check();
    await colour.getByRole('radio', { name: 'green' }).click();
    await expect(card).toContainText('1 of 3 answered');
    await colour.getByRole('radio', { name: 'blue' }).check();
    await colour.getByRole('textbox', { name: 'Your answer to question 2' }).fill('but a dark one');
    await expect(page.getByRole('button', { name: 'Inbox, 1 waiting' })).toBeVisible();

    await page.reload();
    await expect(rooms.getByRole('checkbox', { name: 'bath' })).toBeChecked();
    await expect(rooms.getByRole('checkbox', { name: 'hall' })).not.toBeChecked();
    await expect(colour.getByRole('radio', { name: 'blue' })).toBeChecked();
    await expect(colour.getByRole('textbox')).toHaveValue('but a dark one');
    await pressUntilGone(card.getByRole('button', { name: 'Answer', exact: true }), card);
    await expect(page.getByRole('log')).toContainText('Painted as said.');
    const answer =
      '1. Which rooms?\n- kitchen\n- bath\n\n2. Which colour?\n- blue\n- but a dark one\n\n3. Anything else?\n(no answer)';
    expect(server.requests[1]?.text).toContain(JSON.stringify(answer).slice(1, -1));
  } finally {
    await server.close();
  }
});
