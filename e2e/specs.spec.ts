import { chmodSync, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { scripted } from './harness/configure.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { pressUntilGone } from './harness/window.ts';

const spec = {
  name: 'sayit',
  specVersion: '1',
  version: '1.0.0',
  binary: 'sayit',
  binaryVersion: '1.0.0',
  description: 'Says what it is given',
  versionDetection: { command: '--version', pattern: '(\\d+\\.\\d+\\.\\d+)' },
  triggers: { positive: ['sayit: tests'], negative: ['tasks outside sayit'] },
  commands: [
    { name: 'speak', description: 'Says it', usage: 'speak', args: [], flags: [], output: { format: 'text' } },
  ],
};

const help = `Usage: greet [command]

Commands:
  hello  Says hello
  bye    Says goodbye

Options:
  --help  Shows this
`;

test('the page of CLI specs shows what a spec is, trusts it, and registers a program after a look at what was read', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const touched = join(home, 'touched');
  const project = makeProject({ '.cli-bridge/specs/sayit/1.0.0.json': JSON.stringify(spec) });
  const bin = makeProject({
    sayit: `#!/bin/sh\necho ran >> '${touched}'\necho "sayit 1.0.0"\n`,
    greet: `#!/bin/sh\n[ "$1" = --version ] && echo "greet 2.0.0" && exit 0\n[ "$1" = --help ] && cat <<'E'\n${help}E\n`,
  });
  for (const name of ['sayit', 'greet']) chmodSync(join(bin, name), 0o755);
  const { url } = await serve({ project, env: { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` } });
  await page.goto(url);
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'CLI specs' }).click();
  const specs = page.getByRole('tabpanel', { name: 'CLI specs' });
  const card = specs.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^sayit/ }) });

  await expect(card).toContainText('not trusted yet');
  await expect(card).toContainText('of this project');
  expect(existsSync(touched)).toBe(false);
  const trust = card.getByRole('button', { name: 'Trust: sayit', exact: true });
  await pressUntilGone(trust, trust);
  await expect(card).toContainText('version 1.0.0');
  expect(existsSync(touched)).toBe(true);
  await card.getByRole('button', { name: /1 command/ }).click();
  await expect(card).toContainText('Says it');
  const withdraw = card.getByRole('button', { name: 'Withdraw trust: sayit' });
  await pressUntilGone(withdraw, withdraw);
  await expect(card).toContainText(/not trusted/);

  await specs.getByRole('button', { name: 'Register a program…' }).click();
  await specs.getByRole('textbox', { name: 'Program' }).fill('greet');
  await specs.getByRole('button', { name: 'Read it' }).click();
  await expect(specs).toContainText('look it over before it is saved');
  await expect(specs).toContainText('Valid: 2 commands become tools');
  const text = specs.getByRole('textbox', { name: 'The spec, to be edited' });
  const proposed = await text.inputValue();
  await text.fill('{');
  await expect(specs).toContainText('1 error');
  await expect(specs.getByRole('button', { name: 'Save spec' })).toBeDisabled();
  await text.fill(proposed.replaceAll('Says goodbye', 'Says goodbye, kindly'));
  await specs.getByRole('button', { name: 'Save spec' }).click();
  const saved = specs.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^greet/ }) });
  await expect(saved).toContainText('yours');
  await saved.getByRole('button', { name: /2 commands/ }).click();
  await expect(saved).toContainText('Says goodbye, kindly');
});

const byModel = {
  description: 'Greets people',
  triggers: { positive: ['greet: somebody is to be greeted'], negative: ['anything else'] },
  commands: [{ name: 'bye', description: 'Says goodbye at the door', usage: 'greet bye', output: { format: 'text' } }],
};

test('a spec that the model in use writes is shown for review and saved only then', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const bin = makeProject({
    greet: `#!/bin/sh\n[ "$1" = --version ] && echo "greet 2.0.0" && exit 0\n[ "$1" = --help ] && cat <<'E'\n${help}E\n`,
  });
  chmodSync(join(bin, 'greet'), 0o755);
  const args = scripted(home, [{ text: JSON.stringify(byModel), delayMs: 500 }]);
  const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  const { url } = await serve({ project: makeProject({ 'a.txt': 'a\n' }), env, args });
  await page.goto(url);
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'CLI specs' }).click();
  const specs = page.getByRole('tabpanel', { name: 'CLI specs' });
  await specs.getByRole('button', { name: 'Register a program…' }).click();
  await specs.getByRole('textbox', { name: 'Program' }).fill('greet');
  await specs.getByRole('checkbox', { name: 'Let the model write it from the help' }).check();
  await shootThemes(page, 'spec-by-model-ask');
  await specs.getByRole('button', { name: 'Read it' }).click();
  await expect(specs).toContainText('The model reads the help of the program');
  await expect(specs).toContainText('Written by the model from its help, which may be wrong');
  await expect(specs).toContainText('Valid: 1 command');
  await expect(specs.getByRole('textbox', { name: 'The spec, to be edited' })).toHaveValue(/Says goodbye at the door/);
  await shootThemes(page, 'spec-by-model');
  const file = join(home, 'vise', 'config', 'cli-bridge', 'specs', 'greet', '2.0.0.json');
  expect(existsSync(file)).toBe(false);
  await specs.getByRole('button', { name: 'Save spec' }).click();
  const saved = specs.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^greet/ }) });
  await expect(saved).toContainText('yours');
  expect(existsSync(file)).toBe(true);
});
