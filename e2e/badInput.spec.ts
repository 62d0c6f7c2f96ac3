import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expectCalm } from './harness/expectCalm.ts';
import { endIn } from './harness/facts.ts';
import { productRoot, readTree } from './harness/folders.ts';
import { type Finished, programEnvironment, startProgram } from './harness/program.ts';
import { expect, test } from './harness/test.ts';

const reading = { calls: [{ tool: 'read_file', input: { filePath: 'a.txt' } }] };

test.describe('a path outside the project', () => {
  const outside = 'not for you';

  /** A project with links out of it, beside a folder that it must not reach. */
  function lay(makeProject: (tree: Record<string, string>) => string): { project: string; secret: string } {
    const other = makeProject({ 'secret.txt': outside, 'deep/secret.txt': outside });
    const project = makeProject({ 'a.txt': 'old\n' });
    symlinkSync(join(other, 'secret.txt'), join(project, 'link.txt'));
    symlinkSync(other, join(project, 'folder'));
    symlinkSync(join(other, 'none.txt'), join(project, 'dangling.txt'));
    return { project, secret: join(other, 'secret.txt') };
  }

  test('is refused for reading, by dots, by its full name and through links', async ({ makeProject, vise }) => {
    const { project, secret } = lay(makeProject);
    for (const filePath of [
      `../${secret.split('/').at(-2)}/secret.txt`,
      secret,
      'link.txt',
      'folder/deep/secret.txt',
    ]) {
      const ended = await vise([
        'tool',
        'read_file',
        '--filePath',
        filePath,
        '--project',
        project,
        '--allow',
        'dangerous',
      ]);
      expect({ filePath, code: ended.code, result: JSON.parse(ended.stdout) }).toMatchObject({
        code: 1,
        result: {
          success: false,
          error: { code: 'PATH_TRAVERSAL_DETECTED', message: expect.stringContaining(filePath) },
        },
      });
      expect(ended.stdout).not.toContain(outside);
      expectCalm(ended);
    }
  });

  test('is refused for writing although everything is allowed, and nothing outside changes', async ({
    makeProject,
    vise,
  }) => {
    const { project, secret } = lay(makeProject);
    const before = readTree(join(secret, '..'));
    for (const filePath of ['link.txt', 'folder/new.txt', 'folder/new/new.txt', 'dangling.txt', `${secret}.new`]) {
      const input = JSON.stringify({ filePath, content: 'pwned' });
      const ended = await vise(['tool', 'write_file', '--input', input, '--project', project, '--allow', 'dangerous']);
      expect({ filePath, code: ended.code, result: JSON.parse(ended.stdout) }).toMatchObject({
        code: 1,
        result: { success: false, error: { code: 'PATH_TRAVERSAL_DETECTED' } },
      });
      expectCalm(ended);
    }
    expect(readTree(join(secret, '..'))).toEqual(before);
  });
});

test.describe('wrong usage', () => {
  for (const [what, words, says] of [
    ['an unknown flag', ['exec', '--projcet', '.', 'go'], 'There is no flag --projcet. Did you mean --project?'],
    ['a flag far from any', ['exec', '--frobnicate', 'go'], 'Known are: --project'],
    ['a flag without its value', ['exec', 'go', '--mode'], '--mode needs a value'],
    [
      'a value that is none of the choices',
      ['exec', '--allow', 'all', 'go'],
      '--allow is one of none, moderate, dangerous',
    ],
    ['an unknown command', ['sessoins'], 'Did you mean "vise sessions"?'],
    ['a port that is no number', ['serve', '--port', 'http', '--no-open'], '--port is a whole number from 0 to 65535'],
    [
      'a port that does not exist',
      ['serve', '--port', '65536', '--no-open'],
      '--port is a whole number from 0 to 65535',
    ],
    ['a folder that is not there', ['serve', 'no/such/folder', '--no-open'], 'no/such/folder'],
    [
      'a project that is not there',
      ['exec', '--base-url', 'http://127.0.0.1:1', '--model', 'm', '--project', 'none', 'go'],
      'none',
    ],
    ['a provider that nobody knows', ['exec', '--provider', 'nobody', 'go'], 'There is no provider "nobody"'],
    ['a tool that is not there', ['tool', 'raed_file'], 'read_file'],
    ['input that is no JSON', ['tool', 'read_file', '--input', '{"filePath": '], '--input is not valid JSON'],
  ] as const) {
    test(`${what} is told in a sentence, with exit code 2`, async ({ vise }) => {
      const ended = await vise(words);
      expect({ code: ended.code, told: ended.stdout + ended.stderr }).toEqual({
        code: 2,
        told: expect.stringContaining(says),
      });
      expectCalm(ended);
    });
  }

  test('a port that is taken is told, with the remedy', async ({ vise }) => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const ended = await vise(['serve', '--port', String(port), '--no-open']);
    await new Promise((resolve) => other.close(resolve));
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(new RegExp(`port ${port} cannot be used .*Choose another with --port`)),
    });
    expectCalm(ended);
  });

  test('a file in place of the project folder is told', async ({ makeProject, vise }) => {
    const project = makeProject({ 'a.txt': '' });
    const ended = await vise([
      'exec',
      '--base-url',
      'http://127.0.0.1:1',
      '--model',
      'm',
      '--project',
      join(project, 'a.txt'),
      'go',
    ]);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 2, stderr: expect.stringContaining('a.txt') });
    expectCalm(ended);
  });
});

test.describe('a place that is not as it should be', () => {
  const linux = process.platform === 'linux';

  /** The lines of a shell, with the program as `"$NODE" "$VISE"`. */
  function inShell(line: string, home: string, cwd: string): Finished {
    const env = programEnvironment(home, { VISE: join(productRoot, 'out', 'cli.js'), NODE: process.execPath });
    const { status, signal, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], { cwd, env, encoding: 'utf8' });
    return { code: status, signal, stdout, stderr };
  }

  test('a reader that has seen enough is no failure', async ({ home, makeProject }) => {
    const child = startProgram(['tools', '--json'], programEnvironment(home), makeProject({ 'a.txt': '' }));
    child.stdout?.destroy();
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test(`a folder that was deleted is told${linux ? '' : ' (skipped: only Linux lets go of it)'}`, ({
    home,
    makeProject,
  }) => {
    test.skip(!linux, 'only Linux lets go of a folder that is in use');
    const ended = inShell(
      'mkdir gone && cd gone && rmdir ../gone && exec "$NODE" "$VISE" tools',
      home,
      makeProject({}),
    );
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is gone') });
    expectCalm(ended);
  });

  test(`a full disk behind stdout is told with exit code 1${linux ? '' : ' (skipped: there is no /dev/full)'}`, ({
    home,
    makeProject,
  }) => {
    test.skip(!linux, 'there is no /dev/full');
    const ended = inShell('exec "$NODE" "$VISE" tools > /dev/full', home, makeProject({}));
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('could not be written') });
    expectCalm(ended);
  });

  test(`a home that cannot be made stops only what needs it${linux ? '' : ' (skipped: there is no /proc)'}`, async ({
    makeProject,
    vise,
  }) => {
    test.skip(!linux, 'there is no /proc');
    const project = makeProject({ 'a.txt': 'here\n', 'script.json': '{"replies":[]}' });
    const env = { VISE_HOME: '/proc/none' };
    const read = await vise(['tool', 'read_file', '--filePath', 'a.txt', '--project', project], { env });
    expect({ code: read.code, result: JSON.parse(read.stdout) }).toMatchObject({ code: 0, result: { success: true } });
    const task = await vise(['exec', '--script', join(project, 'script.json'), '--project', project, 'go'], { env });
    expect({ code: task.code, stderr: task.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('point VISE_HOME at another'),
    });
    for (const ended of [read, task]) expectCalm(ended);
  });
});

test.describe('a broken file', () => {
  for (const [what, text, says] of [
    ['no JSON', '{"replies": [\n  {"text": "a",}\n]}', /line 2, column \d+ is not valid JSON/],
    ['without replies', '{"reply": []}', /replies is missing or no list/],
    [
      'with a wrong call',
      '{"replies": [{"calls": [{"input": {}}]}]}',
      /replies\[0\]\.calls\[0\]\.tool must name a tool/,
    ],
  ] as const) {
    test(`a script that is ${what} is told with its place, with exit code 2`, async ({ home, makeProject, vise }) => {
      const project = makeProject({ 'a.txt': 'old\n' });
      const script = join(home, 'broken.json');
      writeFileSync(script, text);
      const ended = await vise(['exec', '--project', project, '--provider', 'scripted', '--script', script, 'go']);
      expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 2, stderr: expect.stringMatching(says) });
      expect(ended.stderr).toContain(script);
      expectCalm(ended);
    });
  }

  test('a script that is not there is told, with exit code 2', async ({ makeProject, vise }) => {
    const project = makeProject({});
    const ended = await vise(['exec', '--project', project, '--provider', 'scripted', '--script', 'none.json', 'go']);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('none.json'),
    });
    expectCalm(ended);
  });

  test('a config.json that is no JSON is told, is not written over, and does not stop what needs none of it', async ({
    home,
    makeProject,
    vise,
  }) => {
    const project = makeProject({ 'a.txt': 'old\n' });
    const shown = JSON.parse((await vise(['doctor', '--json'])).stdout) as readonly { what: string; detail: string }[];
    const folder = shown.find(({ what }) => what === 'folders')?.detail.split(' and ')[0] ?? '';
    const config = join(folder, 'config.json');
    const broken = '{"active_provider": "mine", "providers": {"mine": {"llm_api_key": "kept-key",}}}';
    mkdirSync(folder, { recursive: true });
    writeFileSync(config, broken);

    const withoutProvider = await vise(['exec', '--project', project, 'go']);
    expect(withoutProvider.code).toBe(2);
    expect(withoutProvider.stderr).toContain(config);
    expectCalm(withoutProvider);
    const set = await vise(['config', '--provider', 'other', '--api-key', 'k']);
    expect({ code: set.code, stderr: set.stderr }).toEqual({ code: 2, stderr: expect.stringContaining(config) });
    const script = join(home, 'script.json');
    writeFileSync(script, JSON.stringify({ replies: [reading, { text: 'Read.' }] }));
    const played = await vise([
      ...[
        'exec',
        '--project',
        project,
        '--mode',
        'direct',
        '--provider',
        'scripted',
        '--script',
        script,
        '--json',
        'go',
      ],
    ]);
    expect(played.code).toBe(0);
    expect(endIn(played.stdout).text).toBe('Read.');
    expect(readFileSync(config, 'utf8')).toBe(broken);
    for (const { stdout, stderr } of [withoutProvider, set, played]) expect(stdout + stderr).not.toContain('kept-key');
  });
});
