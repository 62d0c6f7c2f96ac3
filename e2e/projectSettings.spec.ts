import { expect, test } from './harness/test.ts';

const settings = {
  agent: { maxIterations: 7 },
  git: { protectedBranches: ['release/*'] },
  browser: { program: './x' },
};

test('the settings say what the open project narrows, trusted or not, and what of it does not count', async ({
  makeProject,
  page,
  serve,
}) => {
  const project = makeProject({ '.vise/settings.json': JSON.stringify(settings) });
  const { url } = await serve({ project });
  await page.goto(url);
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'General' }).click();
  const general = page.getByRole('tabpanel', { name: 'General' });
  await expect(general).toContainText('agent.maxIterations: 7');
  await expect(general).toContainText('git.protectedBranches: ["release/*"]');
  await expect(general).toContainText('browser.program is nothing that a project may set.');
});
