import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configure } from './harness/configure.ts';
import { answerDialogs, desktopKind, dialogsOf } from './harness/desktop.ts';
import { test } from './harness/desktopTest.ts';
import { readTree } from './harness/folders.ts';
import { expect } from './harness/test.ts';
import { until } from './harness/until.ts';
import { composerOf } from './harness/window.ts';

// What a person's machine does to the desktop: each is told in words, and nothing is lost.

test('settings that cannot be read are told with the remedy, count as none and stay as they are', async ({
  home,
  makeProject,
  start,
}) => {
  const file = join(home, 'vise', 'config', 'config.json');
  const broken = '{"settings": {"theme": "light",}}';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, broken);
  const desktop = await start({ words: [makeProject({ 'a.txt': '' })] });
  await answerDialogs(desktop);
  const page = await desktop.page();
  await expect(page.getByRole('tree', { name: 'Files' }).getByText('a.txt')).toBeVisible();
  await expect.poll(() => dialogsOf(desktop)).toEqual([expect.stringContaining('config.json')]);
  expect((await dialogsOf(desktop))[0]).toContain('Mend or remove it; until then the defaults are used.');
  expect(readFileSync(file, 'utf8')).toBe(broken);
});

test('a folder that is deleted while it is open is told, and what was typed stays until it is back', async ({
  makeProject,
  start,
}) => {
  const project = makeProject({ 'a.txt': '' });
  const desktop = await start({ words: [project] });
  const page = await desktop.page();
  await composerOf(page).fill('what I wanted');
  rmSync(project, { recursive: true });
  const gone = page.getByRole('alert').filter({ hasText: 'is not there any more' });
  await expect(gone).toContainText(project);
  mkdirSync(project);
  await expect(gone).toBeHidden();
  await expect(composerOf(page)).toHaveValue('what I wanted');
});

test('a session that cannot be kept is told with the remedy, and the message stays in its field', async ({
  home,
  makeProject,
  start,
}) => {
  mkdirSync(join(home, 'vise', 'state'), { recursive: true });
  writeFileSync(join(home, 'vise', 'state', 'sessions'), 'x');
  const block = { llm_base_url: 'http://127.0.0.1:9/v1', llm_model: 'test', llm_api_key: 'none' };
  configure(home, { active_provider: 'local', providers: { local: block }, settings: { mode: 'direct' } });
  const desktop = await start({ words: [makeProject({ 'a.txt': '' })] });
  const page = await desktop.page();
  await composerOf(page).fill('what I wanted');
  await composerOf(page).press('Enter');
  await expect(
    page.getByText(/^The session cannot be kept in .*Make the folder writable, or point VISE_HOME at another\.$/),
  ).toBeVisible();
  await expect(composerOf(page)).toHaveValue('what I wanted');
});

test('a state folder that can be read only is told in words with the remedy, and nothing in it changes', async ({
  home,
  start,
}) => {
  test.skip(process.platform === 'win32', 'Windows has no such right of a folder');
  const folder = join(home, 'vise', 'state', 'desktop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'desktop.json'), '{"version":1}');
  chmodSync(folder, 0o555);
  const isRoot = process.getuid?.() === 0;
  try {
    // To root a folder is closed only once it has laid down that right.
    const through = isRoot ? ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override'] : [];
    const desktop = await start({ through });
    expect(await desktop.exited).toBe(1);
    expect(desktop.stderr()).toContain('Vise cannot keep its state');
    expect(desktop.stderr()).toMatch(
      /cannot be written .*\n\nMake it writable, or name another place with .*VISE_HOME/,
    );
    expect(readTree(folder)).toEqual({ 'desktop.json': '{"version":1}' });
  } finally {
    chmodSync(folder, 0o755);
  }
});

test('S6 what a newer version has kept is told where it is opened, and no byte of it changes', async ({
  home,
  makeProject,
  start,
  vise,
}) => {
  const project = makeProject({ 'a.txt': '' });
  const script = join(home, 'script.json');
  writeFileSync(script, '{"replies": [{"text": "Done."}]}');
  expect(
    (await vise(['exec', '--project', project, '--script', script, '--mode', 'direct', 'from tomorrow'])).code,
  ).toBe(0);
  const state = join(home, 'vise', 'state');
  const [journal = ''] = globSync('sessions/*/journal.jsonl', { cwd: state }).map((path) => join(state, path));
  writeFileSync(journal, readFileSync(journal, 'utf8').replace(/"journal":\d+/, '"journal":99'));
  const ofDesktop = join(state, 'desktop', 'desktop.json');
  mkdirSync(dirname(ofDesktop), { recursive: true });
  writeFileSync(ofDesktop, '{"version":99,"updateChannel":"nightly"}');
  const before = [journal, ofDesktop].map((path) => readFileSync(path, 'utf8'));

  const desktop = await start({ words: [project] });
  const page = await desktop.page();
  await page.getByText('from tomorrow').first().click();
  await expect(
    page.getByText(/was written by a newer Vise .*it is left as it is\. Update Vise to open it\./),
  ).toBeVisible();
  await desktop.evaluate(({ app }) => app.quit()).catch(() => undefined);
  expect(await desktop.exited).toBe(0);
  expect([journal, ofDesktop].map((path) => readFileSync(path, 'utf8'))).toEqual(before);
});

test('another version that starts beside it hands over what this one knows, and ends', async ({
  home,
  makeProject,
  start,
}) => {
  test.skip(desktopKind !== 'the stand-in', 'an app that is another version needs a program of its own');
  const project = makeProject({ 'given.txt': '' });
  const app = join(home, 'newer');
  mkdirSync(join(app, 'out', 'main'), { recursive: true });
  writeFileSync(join(app, 'package.json'), '{"type": "module"}');
  const request = { kind: 'folder', path: project, asks: false, layout: 'new', since: 99 };
  const handing = (open: object): void =>
    writeFileSync(
      join(app, 'out', 'main', 'main.js'),
      `import { app } from 'electron';
app.setPath('userData', ${JSON.stringify(join(home, 'vise', 'state', 'desktop'))});
app.exit(app.requestSingleInstanceLock({ version: 99, open: ${JSON.stringify(open)} }) ? 1 : 0);\n`,
    );
  const desktop = await start();
  const page = await desktop.page();
  await expect(page.getByRole('button', { name: /Try the sample project/ })).toBeVisible();
  handing({ kind: 'workspace', folders: [project] });
  expect(await (await start({ app })).exited).toBe(0);
  handing(request);
  expect(await (await start({ app })).exited).toBe(0);
  await expect(page.getByRole('tree', { name: 'Files' }).getByText('given.txt')).toBeVisible();
});

test('a link that climbs out of its folder, and a file in place of a folder, are told; nothing is opened', async ({
  makeProject,
  start,
}) => {
  const project = makeProject({ 'a.txt': '', 'deep/b.txt': '' });
  const desktop = await start();
  const page = await desktop.page();
  const sample = page.getByRole('button', { name: /Try the sample project/ });
  await expect(sample).toBeVisible();
  const cancel = 1;
  await answerDialogs(desktop, { button: cancel });
  for (const [word, says] of [
    [
      `vise://open?folder=${encodeURIComponent(`${project}/deep/../../etc`)}`,
      /^This cannot be opened\. \| ".*" is not a plain path; write it without "\." and "\.\."/,
    ],
    ['vise://run?folder=/tmp', /^This cannot be opened\. \| The link .* is none that Vise knows/],
    [join(project, 'gone'), /^There is no such folder\. \| .*gone/],
    [join(project, 'a.txt'), /^Vise opens folders\. Open the folder of this file\?/],
  ] as const) {
    const already = (await dialogsOf(desktop)).length;
    expect(await (await start({ words: [word] })).exited).toBe(0);
    await until('the word of it', async () => (await dialogsOf(desktop)).length > already);
    expect((await dialogsOf(desktop)).at(-1)).toMatch(says);
  }
  await desktop.drop(page, join(project, 'a.txt'));
  await expect(page.getByText(/a\.txt is not a folder\. Open the folder it lies in: /)).toBeVisible();
  await expect(sample).toBeVisible();
});

test('a window that stood on a display which is gone opens on one that is there', async ({ home, start }) => {
  test.skip(desktopKind !== 'the stand-in', 'a display that is unplugged needs a person');
  const file = join(home, 'vise', 'state', 'desktop', 'desktop.json');
  mkdirSync(dirname(file), { recursive: true });
  const kept = { bounds: { x: 4000, y: 200, width: 1200, height: 800 }, maximized: false, fullScreen: false };
  writeFileSync(file, JSON.stringify({ version: 1, window: kept }));
  const display = { x: 0, y: 0, width: 1600, height: 900 };
  const placeOn = async (displays: readonly object[]): Promise<Electron.Rectangle | undefined> => {
    const desktop = await start({ env: { STAND_IN_DISPLAYS: JSON.stringify(displays) } });
    await desktop.page();
    const place = await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
    await desktop.end();
    return place;
  };
  expect(await placeOn([display, { x: 3840, y: 0, width: 1600, height: 1200 }])).toEqual(kept.bounds);
  expect(await placeOn([display])).toEqual({ x: 200, y: 50, width: 1200, height: 800 });
});

test('without a keychain a key is kept in a file of the owner alone, and the window says so', async ({
  home,
  makeProject,
  start,
}) => {
  test.skip(process.platform !== 'linux', 'the other systems always have one');
  const folder = join(home, 'vise', 'config');
  configure(home, { settings: { mode: 'direct' } });
  const none = join(home, 'none');
  const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${none}`, XDG_RUNTIME_DIR: none };
  const desktop = await start({ words: [makeProject({ 'a.txt': '' })], env });
  const page = await desktop.page();
  await page.getByRole('button', { name: /Paste an OpenAI-compatible URL/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await expect(dialog.getByText(/^Kept in .*, which only you can read; never shown again$/)).toContainText(folder);
  await dialog.getByRole('textbox', { name: 'Base URL' }).fill('http://127.0.0.1:9/v1');
  await dialog.getByRole('combobox', { name: 'Model' }).fill('test');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('mine');
  await dialog.getByLabel('API key').fill('kept-in-a-file');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const holding = (): readonly string[] =>
    readdirSync(folder).filter(
      (name) => name.endsWith('.json') && readFileSync(join(folder, name), 'utf8').includes('kept-in-a-file'),
    );
  await until('the key to be kept', () => holding().length === 1);
  expect(holding().map((name) => statSync(join(folder, name)).mode & 0o077)).toEqual([0]);
});
