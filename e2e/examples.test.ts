import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { productRoot } from './harness/folders.ts';
import { programEnvironment } from './harness/program.ts';
import { type ModelServer, startModelServer } from './modelServer.ts';

const pages = ['README.md', ...readdirSync(join(productRoot, 'docs')).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(productRoot, path), 'utf8') }));

/** The fenced blocks of a page in one of these languages; '' is one without a name. */
function blocksOf(text: string, ...languages: readonly string[]): readonly string[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, name = '', body = '']) =>
    languages.includes(name) ? [body] : [],
  );
}

/** Every line of a page that calls `vise`, in the order of the pages. */
const lines = pages.flatMap(({ path, text }) =>
  blocksOf(text, 'sh', '')
    .flatMap((block) => block.split('\n'))
    .filter((line) => /^(?:[\w ]+\| )?vise /.test(line))
    .map((line) => [path, line.replace(/\s+#.*$/, '')] as const),
);

const json = pages.flatMap(({ path, text }) =>
  blocksOf(text, 'json').map((body) => ({ path, body, value: JSON.parse(body) as Readonly<Record<string, unknown>> })),
);

/** The JSON example with this name at its top. */
function example(
  name: string,
  page?: string,
): { readonly body: string; readonly value: Readonly<Record<string, unknown>> } {
  const found = json.find(({ path, value }) => name in value && (page === undefined || path === page));
  if (!found) throw new Error(`no page shows JSON with "${name}"`);
  return found;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-examples-')));
const bin = join(folder, 'bin');
const project = join(folder, 'project');
let server: ModelServer;
let session = '';
/** One that may be deleted. */
let spare = '';

function program(name: string, text: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(bin, name), 0o755);
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line as somebody who copied it does, in the project; `extra` are variables on top. */
function shell(line: string, extra: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const env = programEnvironment(folder, {
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
    LLM_BASE_URL: server.url,
    LLM_MODEL: 'test',
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...extra,
  });
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', line], { cwd: project, env, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
    // It may end without reading what it is given.
    child.stdin.on('error', () => undefined).end('What does this project do?\n');
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

beforeAll(async () => {
  for (const path of [bin, join(project, 'src')]) mkdirSync(path, { recursive: true });
  // As built where it is, which starts five times as fast.
  const built = join(productRoot, 'out', 'cli.js');
  const cli = existsSync(built) ? built : join(productRoot, 'electron', 'cli.ts');
  program('vise', `exec '${process.execPath}' '${cli}' "$@"`);
  program(
    'my-tool',
    'case "$1" in --version) echo my-tool 1.2.0;; --help) printf "Does things.\\n\\nUsage: my-tool COMMAND\\n\\nCommands:\\n  one   Do one thing\\n  two   Do two things\\n";; *) exit 1;; esac',
  );
  writeFileSync(join(project, 'README.md'), 'A project.\n');
  writeFileSync(join(project, 'package.json'), '{ "name": "a-project" }\n');
  writeFileSync(join(project, 'src', 'main.ts'), 'export const one = 1;\n');
  writeFileSync(join(project, 'help.txt'), 'Usage: my-tool COMMAND\n\nCommands:\n  one   Do one thing\n');
  writeFileSync(join(project, 'ci-rules.json'), example('rules').body);
  server = await startModelServer({ replies: [{ text: 'Here is what I found.', times: 1_000 }] });
  await shell(
    'git init -q . && git -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m first && vise exec --mode ask "Hello" && vise exec --mode ask "Hello again"',
  );
  await shell('vise bridge register --from-file help.txt --name my-tool --version 1.2.0 > my-tool.json');
  const listed = JSON.parse((await shell('vise sessions list --json')).stdout) as readonly { readonly id: string }[];
  expect(listed.length).toBe(2);
  [session = '', spare = ''] = listed.map(({ id }) => id);
}, 60_000);

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const needsJq = (line: string): boolean => line.includes('jq_run');
const hasJq = spawnSync('jq', ['--version']).status === 0;

/** What a model writes is shown to somebody before it counts, and nobody looks here. */
const needsTerminal = (line: string): boolean => line.includes('--by-model');

test('the pages show commands', () => {
  expect(lines.length).toBeGreaterThan(20);
});

test.each(lines.filter(([, line]) => hasJq || !needsJq(line)))('%s: %s', async (_, line) => {
  const typed = line
    .replaceAll(/\bID\b/g, line.includes('delete') ? spare : session)
    .replaceAll(/\bKEY\b/g, 'a-key')
    .replaceAll(/\bMODEL\b/g, 'test');
  const answer = needsTerminal(line)
    ? { code: 2, stderr: expect.stringContaining('is looked over first') as string }
    : { code: 0 };
  expect(await shell(typed)).toMatchObject(answer);
});

test('the replies of the README are played by the scripted provider', async () => {
  writeFileSync(join(project, 'script.json'), example('replies', 'README.md').body);
  const env = { LLM_BASE_URL: '', LLM_MODEL: '' };
  const ran = await shell('vise exec --mode direct --provider scripted --script script.json "Go"', env);
  expect(ran).toMatchObject({ code: 0, stdout: 'Done.\n' });
});

test('a refused key names provider, address and a command, and that command mends it', async () => {
  const refusing = await startModelServer({
    replies: [{ status: 401, body: '{"error": {"message": "Incorrect API key"}}' }, { text: 'Now it works.' }],
  });
  onTestFinished(() => refusing.close());
  const env = { LLM_BASE_URL: '', LLM_MODEL: '', VISE_HOME: join(folder, 'keyed') };
  await shell(`vise config --provider work --base-url ${refusing.url} --model test --api-key old-key`, env);
  const refused = await shell('vise exec --mode ask "Hello"', env);
  expect(refused).toMatchObject({ code: 4, stdout: '' });
  expect(refused.stderr).toContain(`work (${refusing.url}`);
  expect(refused.stderr).not.toMatch(/old-key/);
  const remedy = /"(vise config [^"]+)"/.exec(refused.stderr)?.[1] ?? '';
  expect(await shell(`echo new-key | ${remedy}`, env)).toMatchObject({ code: 0 });
  expect(await shell('vise exec --mode ask "Hello"', env)).toMatchObject({ code: 0, stdout: 'Now it works.\n' });
  expect(refusing.requests.at(-1)?.headers.authorization).toBe('Bearer new-key');
});

test('the settings of the pages are taken as they stand, yours and those of a project', async () => {
  const config = join(folder, 'configured', 'config');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.json'), example('settings', 'docs/settings.md').body);
  mkdirSync(join(project, '.vise'), { recursive: true });
  writeFileSync(join(project, '.vise', 'settings.json'), example('allow', 'docs/settings.md').body);
  const { code, stdout, stderr } = await shell('vise config --show', { VISE_HOME: dirname(config) });
  rmSync(join(project, '.vise'), { recursive: true });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    settings: example('settings', 'docs/settings.md').value['settings'],
    project: { path: project },
  });
});

test('the tool servers of the pages are read with their names', async () => {
  writeFileSync(join(project, '.mcp.json'), example('mcpServers', 'docs/bridges.md').body);
  const { code, stdout } = await shell('vise bridge list --json --trust-workspace');
  rmSync(join(project, '.mcp.json'));
  expect(code).toBe(0);
  const { servers } = JSON.parse(stdout) as { readonly servers: readonly { readonly name: string }[] };
  expect(servers.map(({ name }) => name)).toEqual(['files', 'remote']);
});

test('the editors of the README start a command that there is', async () => {
  type Editors = Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>>;
  const editors = json.flatMap(({ value }) => Object.values((value['agent_servers'] ?? {}) as Editors));
  expect(editors.length).toBe(2);
  for (const { command, args } of editors)
    expect(await shell(`${[command, ...args].join(' ')} --help`)).toMatchObject({ code: 0 });
});
