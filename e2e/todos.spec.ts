import { configure } from './harness/configure.ts';
import { expect, test } from './harness/test.ts';
import { composerOf } from './harness/window.ts';
import { startModelServer } from './modelServer.ts';

test('the to-do list that the agent keeps is ticked and added to under Plan, and the agent reads that', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const todos = [
    { content: 'Read the file', status: 'completed' },
    { content: 'Change the file', status: 'in_progress' },
  ];
  const keep = { calls: [{ tool: 'update_todos', input: { todos } }] };
  const server = await startModelServer({ replies: [keep, { text: 'Begun.' }, { text: 'Then that too.' }] });
  try {
    const block = { llm_provider: 'openai_compatible', llm_base_url: server.url, llm_model: 'm', llm_api_key: 'k' };
    configure(home, { active_provider: 'local', providers: { local: block }, settings: { mode: 'direct' } });
    const { url } = await serve({ project: makeProject({ 'a.txt': 'old\n' }) });
    await page.goto(url);
    await composerOf(page).fill('Change it');
    await composerOf(page).press('Enter');
    await expect(page.getByRole('log')).toContainText('Begun.');
    await page.keyboard.press('Alt+3');
    const plan = page.getByRole('tabpanel', { name: 'Plan' });
    await expect(plan.getByText('1 of 2 done')).toBeVisible();
    await plan.getByRole('checkbox', { name: 'Change the file' }).click();
    await expect(plan.getByText('2 of 2 done')).toBeVisible();
    await plan.getByRole('textbox', { name: 'Add to the list' }).fill('Tell the others');
    await plan.getByRole('textbox', { name: 'Add to the list' }).press('Enter');
    await expect(plan.getByRole('checkbox', { name: 'Tell the others' })).not.toBeChecked();
    await plan.getByRole('button', { name: 'Remove: Read the file' }).click();
    await expect(plan.getByText('1 of 2 done')).toBeVisible();
    await composerOf(page).fill('Go on');
    await composerOf(page).press('Enter');
    await expect(page.getByRole('log')).toContainText('Then that too.');
    expect(server.requests[2]?.text).toContain('- [ ] Tell the others');
  } finally {
    await server.close();
  }
});
