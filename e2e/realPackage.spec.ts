import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { configure } from './harness/configure.ts';
import { endIn, eventsOf, factsIn } from './harness/facts.ts';
import { productRoot, readTree } from './harness/folders.ts';
import { expect, test } from './harness/test.ts';
import { pressUntilGone } from './harness/window.ts';
import { type ModelServer, type ServerReply, startModelServer } from './modelServer.ts';

// The main job on code that nobody wrote for this test: gensync 1.0.0-beta.2 from the npm registry, byte for byte, with
// its own tests. It lies in the project three times, so that a file with CRLF and one with a byte order mark are among
// the edited ones and are tested as well.

const source = join(productRoot, 'node_modules', 'gensync');
const bom = '\uFEFF';

/** Has the package three times, and what its tests need beside it: `jest` and `util.promisify`. */
function lay(project: string): void {
  cpSync(source, project, { recursive: true });
  for (const variant of ['crlf', 'bom']) cpSync(source, join(project, variant), { recursive: true });
  const text = readFileSync(join(source, 'index.js'), 'latin1');
  expect(text).not.toContain('\r');
  writeFileSync(join(project, 'crlf', 'index.js'), text.replaceAll('\n', '\r\n'), 'latin1');
  writeFileSync(join(project, 'bom', 'index.js'), Buffer.concat([Buffer.from(bom), Buffer.from(text, 'latin1')]));

  const packages = join(project, 'node_modules');
  mkdirSync(join(packages, 'util.promisify'), { recursive: true });
  writeFileSync(join(packages, 'util.promisify', 'index.js'), "module.exports = require('node:util').promisify;\n");
  mkdirSync(join(packages, '.bin'));
  const vitest = join(productRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const jest = `#!/bin/sh\nexec '${process.execPath}' '${vitest}' run --globals --root . "$@"\n`;
  writeFileSync(join(packages, '.bin', 'jest'), jest);
  chmodSync(join(packages, '.bin', 'jest'), 0o755);
}

/** The passage that the model changes, of several lines, and what it puts there. */
const oldLines = ['function isIterable(value) {', '  return ('];
const newLines = ['/** Whether `for … of` takes it. */', 'function isIterable(value) {', '  return ('];
const paths = ['index.js', 'crlf/index.js', 'bom/index.js'] as const;

function replies(): readonly ServerReply[] {
  return [
    {
      text: 'I read the package first.',
      chunk: 4,
      calls: [
        { tool: 'list_directory', input: { path: '.' } },
        ...paths.map((filePath) => ({ tool: 'read_file', input: { filePath } })),
      ],
    },
    {
      text: 'One comment, in three files.',
      bytes: 7,
      calls: paths.map((filePath) => ({
        tool: 'edit_file',
        input: { filePath, oldStr: oldLines.join('\n'), newStr: newLines.join('\n') },
      })),
    },
    { text: 'Now its tests.', calls: [{ tool: 'run', input: { command: 'npm test' } }] },
    { text: 'The comment is in, the tests run in the background.', chunk: 3 },
  ];
}

/** What the files must be: the passage replaced in the line ends of the file, and not a byte elsewhere. */
function expected(before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const after: Record<string, string> = { ...before };
  for (const path of paths) {
    const eol = path.startsWith('crlf') ? '\r\n' : '\n';
    // As latin1, a byte a character: the dash of the comment is three bytes of UTF-8.
    const inserted = Buffer.from(newLines.join(eol)).toString('latin1');
    const [head, tail, ...more] = (before[path] ?? '').split(oldLines.join(eol));
    expect(more).toEqual([]);
    after[path] = `${head}${inserted}${tail}`;
  }
  return after;
}

const bytesOf = (project: string): Readonly<Record<string, string>> => readTree(project, { encoding: 'latin1' });
const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

let server: ModelServer;
test.beforeEach(async () => {
  server = await startModelServer({ replies: replies() });
});
test.afterEach(() => server.close());

test('vise exec edits a real package over real event streams and runs its own tests in the background', async ({
  makeProject,
  vise,
}) => {
  const project = makeProject({});
  lay(project);
  const before = bytesOf(project);
  const { code, stdout, stderr } = await vise(
    [
      'exec',
      '--project',
      project,
      '--mode',
      'direct',
      '--allow',
      'dangerous',
      '--wait',
      '--json',
      'say what isIterable is',
    ],
    { env: { LLM_BASE_URL: server.url, LLM_MODEL: 'test' }, limitMs: 110_000 },
  );
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(bytesOf(project)).toEqual(expected(before));

  const facts = factsIn(stdout);
  // What was shown is what is on the disk, by content.
  const shown = eventsOf(facts, 'tool.proposed').flatMap(({ intent }) =>
    intent?.preview?.kind === 'changes' ? intent.preview.changes.map(({ path, after }) => ({ path, after })) : [],
  );
  expect(shown.map(({ path }) => path)).toEqual([...paths]);
  for (const { path, after } of shown) expect({ path, after: hashOf(join(project, path)) }).toEqual({ path, after });
  expect(eventsOf(facts, 'task.ended').map(({ task }) => [task.command, task.background, task.exitCode])).toEqual([
    ['npm test', 'estimated', 0],
  ]);
  expect(endIn(stdout).outcome).toBe('done');
  // Each call of the model got its own answer, in order.
  const { messages } = (server.requests.at(-1) ?? { body: {} }).body as {
    messages: readonly { readonly tool_call_id?: string; readonly tool_calls?: readonly { readonly id: string }[] }[];
  };
  const asked = messages.flatMap(({ tool_calls: calls }) => calls?.map(({ id }) => id) ?? []);
  expect(asked).toHaveLength(8);
  expect(messages.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(asked);
});

/** Waits for the approval card of a command and lets it run once. */
async function allowOnce(page: Page): Promise<void> {
  const once = page.getByRole('button', { name: 'Once', exact: true }).first();
  await pressUntilGone(once, once);
}

test('the window shows the same change, applies what was approved, and shows the tests pass', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const project = makeProject({});
  lay(project);
  const before = bytesOf(project);
  configure(home, { settings: { mode: 'direct' } });
  const { url } = await serve({ project, env: { LLM_BASE_URL: server.url, LLM_MODEL: 'test' } });
  await page.goto(url);
  await page.getByRole('textbox', { name: 'Message' }).fill('say what isIterable is');
  await page.keyboard.press('Enter');
  const apply = page.getByRole('button', { name: /^Apply 3 hunks/ });
  await expect(apply).toBeVisible();
  expect(bytesOf(project)).toEqual(before);
  await pressUntilGone(apply, apply);
  await allowOnce(page);
  await expect(page.getByText('The comment is in, the tests run in the background.')).toBeVisible();
  expect(bytesOf(project)).toEqual(expected(before));
  await expect(page.getByText('exit 0').first()).toBeVisible({ timeout: 180_000 });
});
