import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { configure, scripted } from './harness/configure.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { composerOf, openFreeSession, reviewOf } from './harness/window.ts';

const server = (line: string): string =>
  `const first = 1;\nconst second = 2;\n${line}\nsetInterval(() => first + second, 1000);\n`;

test('a dev server that a hunk ends names that hunk in the console, at the edit and in the review; one click tells the agent', async ({
  page,
  serve,
  makeProject,
  home,
}) => {
  test.slow();
  const project = makeProject({ 'server.mjs': server('const third = 3;') });
  const content = server('const third = nobody.knows;');
  const args = scripted(home, [
    { calls: [{ tool: 'start_background_task', input: { command: 'node --watch-path=. server.mjs' } }] },
    { calls: [{ tool: 'write_file', input: { filePath: 'server.mjs', content } }] },
    { text: 'Done.' },
    { text: 'I see the build is red.' },
  ]);
  configure(home, { settings: { mode: 'direct' } });
  const { url } = await serve({ project, args });
  const { client, session } = await openFreeSession(page, url, project);
  await client.call('session.configure', { session, appliesEdits: true });
  client.close();
  await composerOf(page).fill('Serve it, then change it');
  await composerOf(page).press('Enter');
  await expect(page.getByText('Done.')).toBeVisible();

  // A watcher may miss what is written while it starts.
  const touching = setInterval(() => utimesSync(join(project, 'server.mjs'), new Date(), new Date()), 2_500);
  const report = page.getByRole('region', { name: 'What the build reports' });
  await expect(report)
    .toContainText('ReferenceError: nobody is not defined')
    .finally(() => clearInterval(touching));
  await expect(report.getByRole('status')).toHaveText('1 error');
  await report.getByRole('button', { name: 'server.mjs:3 · hunk 1' }).click();
  const hunk = reviewOf(page).getByRole('group', { name: 'Hunk 1 of 1: server.mjs' });
  await expect(hunk).toContainText('ReferenceError: nobody is not defined');
  await expect(page.getByRole('button', { name: '1 build error' })).toBeVisible();
  await shootThemes(page, 'build-red');

  await report.getByRole('button', { name: 'Send to the agent' }).click();
  await expect(page.getByText('I see the build is red.')).toBeVisible();
});
