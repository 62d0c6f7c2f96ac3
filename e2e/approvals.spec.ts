import { configure, scripted } from './harness/configure.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { composerOf, pressUntilGone } from './harness/window.ts';

test('a card names what a command deletes, where links lead, hosts and downloads, and looks like it', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const project = makeProject({ 'build/a.js': '1', 'package.json': '{"scripts":{"test":"true"}}' });
  configure(home, { settings: { mode: 'direct' } });
  const run = (command: string) => ({ tool: 'run', input: { command } });
  const args = scripted(home, [
    { calls: [run('node --version'), run('rm -r build'), run('curl -o tool.tgz https://example.org/tool.tgz')] },
    { text: 'Done.' },
  ]);
  const { url } = await serve({ project, args });
  await page.goto(url);
  await composerOf(page).fill('Clean up');
  await composerOf(page).press('Enter');
  const card = (title: RegExp) => page.getByRole('log').getByRole('region', { name: title });
  const usual = card(/^Approval: Run node --version/);
  const deleting = card(/^Approval: Run rm -r build/);
  const fetching = card(/^Approval: Run curl/);
  const once = (place: typeof usual) => place.getByRole('button', { name: 'Once', exact: true });
  const colour = (place: typeof usual) => once(place).evaluate((button) => getComputedStyle(button).backgroundColor);
  await expect(usual).toBeVisible();
  await expect(usual.getByRole('definition')).toHaveCount(0);
  const blue = await colour(usual);
  await pressUntilGone(once(usual), usual);
  await expect(deleting.getByRole('term')).toHaveText(['Deletes']);
  await expect(deleting.getByRole('definition')).toHaveText(['build']);
  expect(await colour(deleting)).not.toBe(blue);
  await pressUntilGone(once(deleting), deleting);
  await expect(fetching.getByRole('term')).toHaveText(['Writes', 'Connects to', 'Downloads by']);
  await expect(fetching.getByRole('definition')).toHaveText(['tool.tgz', 'example.org', 'curl']);
  expect(await colour(fetching)).not.toBe(blue);
  await shootThemes(page, 'approvals');
});
