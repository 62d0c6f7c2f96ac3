import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { productRoot } from './harness/folders.ts';
import { programEnvironment } from './harness/program.ts';
import { startModelServer } from './modelServer.ts';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>;
}

const page = readFileSync(join(productRoot, 'docs', 'start.md'), 'utf8');
const path = (/^```sh\n([^]*?)^```/m.exec(page)?.[1] ?? '').trim().split('\n');

/** Packages are installed and everything is built anew, as on a fresh machine: minutes, and the registry. */
const isFresh = process.env['VISE_FRESH'] === '1';

const hasClone = existsSync(join(productRoot, '.git'));

test('a stranger needs at most six commands', () => {
  expect(path.length).toBeLessThanOrEqual(6);
});

test.skipIf(!hasClone || process.platform === 'win32')(
  'the commands of docs/start.md lead from a clone to an answer of a local model',
  { timeout: 900_000 },
  async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'vise-stranger-')));
    // Packages that were installed anew are many files.
    onTestFinished(() => rmSync(home, { recursive: true, force: true }), 600_000);
    const server = await startModelServer({ replies: [{ text: 'It greets.' }] });
    onTestFinished(() => server.close());
    mkdirSync(join(home, 'my-project'));
    writeFileSync(join(home, 'my-project', 'greet.js'), 'console.log("hello");\n');
    const prefix = join(home, '.local');
    const env = programEnvironment(home, {
      PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
      npm_config_prefix: prefix,
      VISE_NO_INSTALL: '1',
      // In place of the port of Ollama, which is one for the whole machine.
      LLM_BASE_URL: server.url,
    });
    let cwd = home;
    let stdout = '';
    for (const command of path) {
      const line = command.replace(/https:\S+\.git/, `'${productRoot}' vise`);
      const ran = await run(`${line} && pwd > '${home}/here'`, cwd, env);
      expect(ran.code, `${command}\n${ran.stdout}${ran.stderr}`).toBe(0);
      cwd = readFileSync(join(home, 'here'), 'utf8').trim();
      ({ stdout } = ran);
      if (command.startsWith('git clone') && !isFresh) borrow(join(home, 'vise'));
    }
    expect(stdout).toBe('It greets.\n');
    expect(existsSync(join(prefix, 'share', 'man', 'man1', 'vise.1'))).toBe(true);
    expect(server.requests[0]?.body).toMatchObject({ model: 'qwen3:8b' });
  },
);

/**
 * The packages and the build of this checkout, which the commands find up to date. Nothing where the packages are not those of the
 * clone: `npm ci` would then remove them through the link.
 */
function borrow(clone: string): void {
  const versions = (...path: readonly string[]): Lock['packages'] =>
    (JSON.parse(readFileSync(join(...path), 'utf8')) as Lock).packages;
  const installed = versions(productRoot, 'node_modules', '.package-lock.json');
  const isThere = ([path, { version, optional }]: [string, Lock['packages'][string]]): boolean =>
    path === '' || optional === true || installed[path]?.version === version;
  if (!Object.entries(versions(clone, 'package-lock.json')).every(isThere)) return;
  symlinkSync(join(productRoot, 'node_modules'), join(clone, 'node_modules'));
  if (existsSync(join(productRoot, 'out')))
    cpSync(join(productRoot, 'out'), join(clone, 'out'), {
      recursive: true,
      filter: (from) => !from.endsWith('.building'),
    });
}

function run(line: string, cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>(
    (resolve, reject) => {
      const child = spawn('/bin/sh', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    },
  );
}
