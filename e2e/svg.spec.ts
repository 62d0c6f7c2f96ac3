import { configure, scripted } from './harness/configure.ts';
import { expect, test } from './harness/test.ts';
import { composerOf } from './harness/window.ts';

test('an SVG of the project or of a reply is shown as its text: nothing in it runs, and nothing is loaded for it', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const svg = [
    '<svg xmlns="http://www.w3.org/2000/svg" onload="window.svgRan = 1">',
    '  <script>window.svgRan = 2</script>',
    '  <image href="http://127.0.0.1:9/pixel.png" onerror="window.svgRan = 3" />',
    '  <foreignObject><img src="http://127.0.0.1:9/inner.png" onerror="window.svgRan = 4" /></foreignObject>',
    '</svg>',
  ].join('\n');
  const project = makeProject({ 'art/logo.svg': svg });
  configure(home, { settings: { mode: 'direct' } });
  const text = `Inline:\n\n${svg}\n\n![logo](art/logo.svg)\n\n![far](http://127.0.0.1:9/far.svg)\n\nShown.`;
  const { url } = await serve({ project, args: scripted(home, [{ text }]) });
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto(url);
  await composerOf(page).fill('Draw');
  await composerOf(page).press('Enter');
  await expect(page.getByRole('log').getByText('Shown.', { exact: true })).toBeVisible();
  await page.keyboard.press('Control+p');
  await page.getByRole('dialog', { name: 'Open a file' }).getByRole('combobox').fill('logo');
  await page.getByRole('option', { name: /logo\.svg/ }).click();
  await expect(page.getByRole('tabpanel', { name: 'Files' })).toContainText('foreignObject');

  expect(await page.evaluate(() => 'svgRan' in window)).toBe(false);
  await expect(page.locator('svg script, svg image, svg foreignObject')).toHaveCount(0);
  expect(loaded.filter((address) => address.includes('127.0.0.1:9/') || address.includes('logo.svg'))).toEqual([]);
});
