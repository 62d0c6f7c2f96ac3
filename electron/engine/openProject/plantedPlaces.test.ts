import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultSettings } from '../../../shared/model/settings.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { sandboxCommand } from '../exec/sandbox/sandboxCommand.ts';
import { type TestBench, type TestSession, testBench } from '../testing/engineForTest.ts';

const works =
  process.platform === 'linux' &&
  sandboxCommand('true', [], { project: '/', cwd: '/', writable: false, network: false }).ok;

const notices = (session: TestSession) =>
  [...itemsOf(session.mirror().items)].flatMap((item) =>
    item.kind === 'notice' && item.code === 'planted' ? [{ text: item.text, paths: item.paths }] : [],
  );

async function sandboxed(files: Readonly<Record<string, string>>): Promise<TestBench> {
  const bench = testBench(files, { allow: 'dangerous' });
  const settings = { ...defaultSettings, sandbox: { ...defaultSettings.sandbox, commands: true } };
  expect(await bench.client.call('settings.set', { settings })).toMatchObject({ ok: true });
  return bench;
}

const run = (command: string) => ({ calls: [{ tool: 'run', input: { command } }] });

test.skipIf(!works)(
  'C12: a file that other programs obey and that a sandboxed command leaves is told at once, and one call sets it aside (skipped without bubblewrap)',
  async () => {
    // What a script does, no rule sees: else it would be asked.
    const script =
      'echo "{}" > .mcp.json; echo script-shell=./x >> .npmrc; mkdir -p .github/workflows; echo x > .github/workflows/a.yml';
    const bench = await sandboxed({
      'make.sh': script,
      '.npmrc': 'a=b\n',
      '.envrc': 'export A=1\n',
      '.cargo/config.toml': '',
    });
    const session = await bench.session([run('sh make.sh'), run('echo "{}" > plain.json'), { text: 'Done.' }]);
    await session.say('go');
    expect(notices(session)).toEqual([
      {
        text: expect.stringMatching(
          /^New while ".*" ran in the sandbox, .*: \.github\/workflows\/a\.yml \(.*\), \.mcp\.json \(/s,
        ),
        paths: ['.github/workflows/a.yml', '.mcp.json'],
      },
      { text: expect.stringMatching(/^Changed while ".*" ran in the sandbox, .*: \.npmrc \(/s), paths: undefined },
    ]);
    const aside = (path: string) => bench.client.call('session.setAside', { session: session.id, path });
    writeFileSync(join(bench.project, '.mcp.json.aside'), 'mine');
    expect(await aside('.mcp.json')).toEqual({ ok: true, value: { path: '.mcp.json.aside.2' } });
    expect([
      existsSync(join(bench.project, '.mcp.json')),
      bench.file('.mcp.json.aside.2'),
      bench.file('.mcp.json.aside'),
    ]).toEqual([false, '{}\n', 'mine']);
    expect(await aside('.mcp.json')).toMatchObject({ error: { code: 'FILE_NOT_FOUND' } });
    expect(await aside('plain.json')).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  },
);

test('C12: what a person writes between commands, and what the sandbox holds anyway, is not told', async () => {
  const bench = await sandboxed({});
  const session = await bench.session([run('true'), { text: 'One.' }, run('true'), { text: 'Two.' }]);
  await session.say('go');
  writeFileSync(join(bench.project, '.mcp.json'), '{}');
  await session.say('on');
  expect(notices(session)).toEqual([]);
});
