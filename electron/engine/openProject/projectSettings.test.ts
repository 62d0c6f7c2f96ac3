import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callsOf } from '../../../shared/model/reduce.ts';
import { sampleSpec } from '../bridge/cliSpec/testing/sampleSpec.ts';
import { type TestBench, testBench } from '../testing/engineForTest.ts';

const file = '.vise/settings.json';

async function trust({ client, project }: TestBench): Promise<void> {
  await client.call('project.open', { path: project });
  const risks = await client.call('project.risks', { path: project });
  if (!risks.ok) throw new Error(risks.error.message);
  await client.call('project.trust', { path: project, trust: 'trusted', hash: risks.value.hash });
}

async function view({ client, project }: TestBench) {
  const answer = await client.call('settings.project', { project });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

async function iterations(bench: TestBench): Promise<number> {
  const parts = await bench.engine.project(bench.project);
  if (!parts.ok) throw new Error(parts.error.message);
  await parts.value.readSettings();
  return parts.value.settings().agent.maxIterations;
}

describe('.vise/settings.json', () => {
  test('J6: counts without trust, since it can only narrow', async () => {
    const bench = testBench({ [file]: '{"agent":{"maxIterations":3}}' });
    expect(await iterations(bench)).toBe(3);
    expect(await view(bench)).toEqual({ state: 'counts', narrows: { 'agent.maxIterations': 3 }, notices: [] });
  });

  test('J6: an edit of the folder does not end the sandbox that the project asks for', async () => {
    const bench = testBench({ [file]: '{"sandbox":{"commands":true}}', 'AGENTS.md': 'Be kind.' });
    await trust(bench);
    writeFileSync(join(bench.project, 'AGENTS.md'), 'Be quick.');
    const opened = await bench.engine.project(bench.project);
    if (!opened.ok) throw new Error(opened.error.message);
    await opened.value.readSettings();
    expect(opened.value.settings().sandbox.commands).toBe(true);
  });

  test('J6: rules of the project count only while they are those that were trusted', async () => {
    const rule = (command: string) => JSON.stringify({ rules: [{ effect: 'allow', match: { command: [command] } }] });
    const bench = testBench({ '.vise/rules.json': rule('ls') });
    await trust(bench);
    const opened = await bench.engine.project(bench.project);
    if (!opened.ok) throw new Error(opened.error.message);
    const allowed = () => opened.value.rules().rules.map(({ match }) => match.command);
    expect(allowed()).toEqual([['ls']]);
    writeFileSync(join(bench.project, '.vise/rules.json'), rule('rm'));
    expect(allowed()).toEqual([]);
  });

  test('J6: rules that appear in a trusted project do not count', async () => {
    const bench = testBench({ 'a.txt': '' });
    await trust(bench);
    const opened = await bench.engine.project(bench.project);
    if (!opened.ok) throw new Error(opened.error.message);
    mkdirSync(join(bench.project, '.vise'));
    writeFileSync(
      join(bench.project, '.vise/rules.json'),
      JSON.stringify({ rules: [{ effect: 'allow', match: { tool: 'run' } }] }),
    );
    expect(opened.value.rules().rules).toEqual([]);
  });

  test('the user’s later change is narrowed as well', async () => {
    const bench = testBench({ [file]: '{"agent":{"maxIterations":10}}' });
    await trust(bench);
    const watched = await bench.client.call('workbench.watch', {});
    if (!watched.ok) throw new Error(watched.error.message);
    const { settings } = watched.value.state;
    await bench.client.call('settings.set', {
      settings: { ...settings, agent: { ...settings.agent, maxIterations: 5 } },
    });
    expect(await iterations(bench)).toBe(5);
    expect((await view(bench)).notices).toEqual([
      `${file}: agent.maxIterations is looser than yours (5); a project can only narrow.`,
    ]);
  });

  test('P5: a link in place of the file or of its folder is not read', async () => {
    const bench = testBench({ 'elsewhere/settings.json': '{"agent":{"maxIterations":3}}' });
    symlinkSync('elsewhere', join(bench.project, '.vise'));
    await trust(bench);
    expect(await iterations(bench)).toBe(20);
    expect((await view(bench)).notices).toEqual([`${file} is reached through a link; it does not count.`]);
    renameSync(join(bench.project, '.vise'), join(bench.project, 'link'));
    mkdirSync(join(bench.project, '.vise'));
    symlinkSync('../elsewhere/settings.json', join(bench.project, file));
    await trust(bench);
    expect(await iterations(bench)).toBe(20);
    expect((await view(bench)).notices).toEqual([`${file} is reached through a link; it does not count.`]);
  });

  test('a broken file, one that is too large, and a folder of that name are told', async () => {
    const broken = testBench({ [file]: '{"agent":' });
    await trust(broken);
    expect((await view(broken)).notices).toEqual([
      expect.stringMatching(/^\.vise\/settings\.json is not valid JSON: .*; it does not count\.$/),
    ]);
    const large = testBench({ [file]: `{"x":"${'y'.repeat(256 * 1024)}"}` });
    await trust(large);
    expect((await view(large)).notices).toEqual([`${file} is larger than 262144 bytes; it does not count.`]);
    const folder = testBench({ [`${file}/x`]: '' });
    await trust(folder);
    expect((await view(folder)).notices).toEqual([`${file} is no plain file; it does not count.`]);
  });

  test('a lower level asks although the session allows all, and what does not count is told once', async () => {
    const bench = testBench({ [file]: '{"allow":"none","browser":{"program":"x"}}' }, { allow: 'dangerous' });
    await trust(bench);
    const write = (name: string) => ({ tool: 'write_file', input: { filePath: name, content: 'x' } });
    const session = await bench.session([{ calls: [write('a.txt')] }, { text: 'Done.' }, { text: 'Again.' }]);
    await session.send('write it');
    const { call } = await session.next('permission.asked');
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'deny' });
    await session.next('turn.finished');
    await session.say('once more');
    expect(callsOf(session.mirror()).map(({ result }) => result?.success)).toEqual([false]);
    const notices = session.heard.flatMap(({ event }) => (event.type === 'notice' ? [event.text] : []));
    expect(notices).toEqual([`${file}: browser.program is nothing that a project may set.`]);
  });

  test('a single call is held to the lower level as well', async () => {
    const bench = testBench({ [file]: '{"allow":"none"}' }, { allow: 'dangerous', interactive: false });
    const call = () =>
      bench.engine.callTool(
        bench.project,
        'write_file',
        { filePath: 'a.txt', content: 'x' },
        AbortSignal.timeout(20_000),
      );
    await trust(bench);
    expect(await call()).toMatchObject({ success: false, error: { code: 'PERMISSION_REQUIRED' } });
  });

  test.skipIf(process.platform === 'win32')(
    'commands, branches and tools of specs are held to what the project says',
    async () => {
      const bench = testBench(
        {
          [file]: JSON.stringify({
            shell: { maxOutputChars: 40 },
            git: { protectedBranches: ['steady/*'] },
            bridge: { levels: { doit: 'dangerous' } },
          }),
        },
        { allow: 'dangerous', interactive: false },
      );
      const binary = join(bench.home, 'doit');
      mkdirSync(join(bench.ports.places.specs, 'doit'), { recursive: true });
      writeFileSync(binary, '#!/bin/sh\necho doit 1.0.0\n');
      chmodSync(binary, 0o755);
      const spec = sampleSpec({ name: 'doit', binary: 'doit' });
      writeFileSync(join(bench.ports.places.specs, 'doit', '1.0.0.json'), JSON.stringify({ ...spec, binary }));
      execFileSync('git', ['init', '-q', '-b', 'steady/1'], { cwd: bench.project });
      const call = (tool: string, input: object) =>
        bench.engine.callTool(bench.project, tool, input, AbortSignal.timeout(30_000));
      const told = async () => {
        const ran = await call('run', { command: 'seq 1 500' });
        const branch = await call('is_protected_branch', { repoPath: '.' });
        const tools = await bench.engine.toolset(bench.project);
        const levels = tools.ok
          ? tools.value.tools.filter(({ source }) => source.startsWith('spec doit')).map(({ permission }) => permission)
          : [];
        return {
          isWhole: JSON.stringify(ran).includes('321'),
          isProtected: branch.success && (branch.data as { isProtected: boolean }).isProtected,
          levels,
        };
      };
      await trust(bench);
      expect(await told()).toEqual({ isWhole: false, isProtected: true, levels: ['dangerous'] });
    },
  );

  test('a phased task ends at the limit of the project', async () => {
    const bench = testBench({ [file]: '{"agent":{"maxIterations":2}}' });
    await trust(bench);
    const list = { calls: [{ tool: 'list_directory', input: { path: '.' } }] };
    const session = await bench.session(
      [list, { ...list, text: 'b' }, { ...list, text: 'c' }, { text: 'd' }],
      'phased',
    );
    const end = await session.say('look');
    expect(end.outcome).toBe('failed');
    expect(end.text).toContain('exceeded 2 iterations');
  });
});
