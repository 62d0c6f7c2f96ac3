import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configure, scripted } from './harness/configure.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { until } from './harness/until.ts';
import { applyButton, composerOf, pressUntilGone, reviewOf } from './harness/window.ts';

test('without the model: a block of code goes into its file through the review, and a tool of the palette shows its result', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  test.slow();
  const file =
    'export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n\nexport const three = 3;\n';
  const project = makeProject({ 'lib/numbers.js': file });
  configure(home, { settings: { mode: 'direct' } });
  const code = '// lib/numbers.js\nexport function two() {\n  const n = 2;\n  return n;\n}';
  const args = scripted(home, [{ text: `Like this:\n\n\`\`\`js\n${code}\n\`\`\`\n` }]);
  const { url } = await serve({ project, args });
  await page.goto(url);
  await composerOf(page).fill('How?');
  await composerOf(page).press('Enter');

  // The block says which file it is of.
  await page.getByRole('button', { name: 'Apply to a file…' }).press('Enter');
  const chooser = page.getByRole('dialog', { name: 'Apply to a file…' });
  await expect(chooser.getByRole('combobox')).toHaveValue('lib/numbers.js');
  await expect(chooser.getByRole('option')).toHaveCount(1);
  await chooser.getByRole('combobox').press('Enter');
  await expect(reviewOf(page)).toContainText('numbers.js');
  await expect(applyButton(page)).toContainText('Apply 1 hunk');
  expect(readFileSync(join(project, 'lib/numbers.js'), 'utf8')).toBe(file);
  await pressUntilGone(applyButton(page), applyButton(page));
  const applied = file.replace('  return 2;', '  const n = 2;\n  return n;');
  await until('the block in its file', () => readFileSync(join(project, 'lib/numbers.js'), 'utf8') === applied);

  // A file that is not there yet is a new one.
  await page.getByRole('button', { name: 'Apply to a file…' }).press('Enter');
  await chooser.getByRole('combobox').fill('lib/two.js');
  await chooser.getByRole('option', { name: 'New file: lib/two.js' }).click();
  await expect(reviewOf(page)).toContainText('two.js');

  // Every tool is in the palette, with a form of what it takes.
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await palette.getByRole('combobox').fill('tool read_file');
  await palette.getByRole('option', { name: /^read_file/ }).click();
  const form = page.getByRole('dialog', { name: 'read_file', exact: true });
  await form.getByRole('textbox', { name: 'filePath', exact: true }).fill('nowhere.js');
  await form.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(form.getByRole('status')).toContainText('nowhere.js');
  await form.getByRole('textbox', { name: 'filePath', exact: true }).fill('lib/numbers.js');
  await page.keyboard.press('Enter');
  await expect(form.getByRole('status')).toContainText('export const three = 3;');
  await shootThemes(page, 'tools');
});
