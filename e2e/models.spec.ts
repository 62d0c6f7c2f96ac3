import type { Page } from '@playwright/test';
import { configure } from './harness/configure.ts';
import { shootThemes } from './harness/shoot.ts';
import { test as base, expect } from './harness/test.ts';
import { composerOf, pressUntilGone } from './harness/window.ts';
import { startModelServer } from './modelServer.ts';
import { type StrictServer, startStrictServer } from './providers/strictServer.ts';

const blocks = (url: string) => {
  const block = (model: string) => ({
    llm_provider: 'openai_compatible',
    llm_base_url: url,
    llm_model: model,
    llm_api_key: 'k-1234567',
  });
  return { openai: block('gpt-5.5'), anthropic: block('claude-opus-5') };
};

/** Has the window on a project, with the providers `openai` (in use) and `anthropic` behind the strict provider. */
const test = base.extend<{ readonly provider: StrictServer }>({
  provider: async ({ home, makeProject, serve, page }, provide) => {
    const server = await startStrictServer();
    configure(home, { providers: blocks(server.url), active_provider: 'openai', settings: { mode: 'direct' } });
    const { url } = await serve({ project: makeProject({ 'a.txt': 'one\n' }) });
    await page.goto(url);
    await expect(composerOf(page)).toBeVisible();
    await provide(server);
    await server.close();
  },
});

async function say(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await composerOf(page).press('Enter');
}

const done = [{ text: 'Done.', phase: 'final_answer' as const }];

test('effort, model and dialect stand beside the message, and what was spent is told', async ({ page, provider }) => {
  const chip = page.getByRole('button', { name: /^Model gpt-5.5, effort/ });
  await expect(chip).toHaveText('gpt-5.5');
  await chip.click();
  await expect(page.getByText('Asked over Responses (by the catalogue)')).toBeVisible();
  await shootThemes(page, 'effort');
  await page.getByRole('menuitemcheckbox', { name: 'high', exact: true }).click();
  await expect(chip).toHaveText('gpt-5.5 · high');
  provider.play(done, done, done);
  await say(page, 'One.');
  await expect(page.getByText(/Done · .* in \(0 cached\)/)).toBeVisible();
  expect(provider.accepted.at(-1)?.body).toMatchObject({ reasoning: { effort: 'high' } });
  // By the line, and in the menu of the header.
  await say(page, '/effort low');
  await expect(chip).toHaveText('gpt-5.5 · low');
  await say(page, 'Two.');
  await expect(page.getByText(/Done · .* in \([1-9][\d.k]* cached\)/)).toBeVisible();
  expect(provider.accepted.at(-1)?.body).toMatchObject({ reasoning: { effort: 'low' } });
  const spend = page.getByRole('button', { name: /Tokens and cost/ });
  await expect(spend).toHaveText(/saved/);
  await spend.click();
  await expect(page.getByRole('dialog', { name: 'Tokens and cost' }).getByText(/cache has saved \$/)).toBeVisible();
  await shootThemes(page, 'spend');
  await page.keyboard.press('Escape');
  const header = page.getByRole('banner', { name: 'Workbench' }).getByRole('button', { name: /gpt-5.5/ });
  await header.click();
  await shootThemes(page, 'model-menu');
  await page.getByRole('menuitemcheckbox', { name: /^anthropic/ }).click();
  await expect(page.getByRole('button', { name: /^Model claude-opus-5/ })).toBeVisible();
  await say(page, 'Three.');
  await expect(page.getByText(/^Done ·/)).toHaveCount(3);
  expect(provider.accepted.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses', '/v1/messages']);
  expect(provider.broken).toEqual([]);
});

test('caps are set in the settings, and at a cap the window asks', async ({ page, provider }) => {
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Models and cost' }).click();
  await dialog.getByRole('spinbutton', { name: 'Dollars a session' }).fill('0.0001');
  await dialog.getByRole('spinbutton', { name: 'Dollars a day' }).fill('50');
  await dialog.getByRole('combobox', { name: 'Effort while exploring' }).selectOption('low');
  await shootThemes(page, 'caps');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  provider.play([{ call: 'read_file', input: { filePath: 'a.txt' } }], done);
  await say(page, 'Read it.');
  const question = page.getByRole('log').getByRole('region', { name: /cap is reached/ });
  await expect(question).toContainText('The session has cost $');
  await shootThemes(page, 'cap-reached');
  await pressUntilGone(question.getByRole('button', { name: 'Go on' }), question);
  await expect(page.getByText(/^Done ·/)).toBeVisible();
});

test('a provider is tried before it is saved, a refused key is mended from the turn, and keys are said to lie in a file', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const server = await startModelServer({
    replies: [{ text: 'ready', usage: { prompt_tokens: 9, completion_tokens: 1 } }],
  });
  try {
    configure(home, { settings: { mode: 'direct' } });
    const { url } = await serve({
      project: makeProject({ 'a.txt': 'one\n' }),
      env: { OPENROUTER_API_KEY: 'k-of-env' },
    });
    await page.goto(url);
    await page.getByRole('button', { name: /Paste an OpenAI-compatible URL/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await expect(dialog.getByText(/Kept in .*keys\.json, which only you can read/)).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Base URL' }).fill(server.url);
    await dialog.getByRole('combobox', { name: 'Model' }).fill('scripted');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('mine');
    await dialog.getByLabel('API key').fill('first-key');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await expect(dialog.getByText(/scripted answered “ready” after \d+ ms\. 1 model is listed\./)).toBeVisible();
    await shootThemes(page, 'provider-test');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('OPENROUTER_API_KEY')).toBeVisible();
    await page.keyboard.press('Escape');
    server.play({ status: 401, body: '{"error":{"message":"bad key"}}' }, { text: 'Here.' });
    await say(page, 'Hello');
    const failed = page.getByRole('alert').filter({ hasText: 'vise config --provider mine --api-key-stdin' });
    await failed.getByRole('button', { name: 'Edit key' }).click();
    await shootThemes(page, 'edit-key');
    await dialog.getByLabel('API key').fill('second-key');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.keyboard.press('Escape');
    await failed.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Here.', { exact: true })).toBeVisible();
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer first-key',
      'Bearer first-key',
      'Bearer second-key',
    ]);
  } finally {
    await server.close();
  }
});
