import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callsOf, liveCallsOf } from '../../../shared/model/reduce.ts';
import { sampleCommand, sampleSpec } from '../bridge/cliSpec/testing/sampleSpec.ts';
import { followSession, type TestBench, testBench } from '../testing/engineForTest.ts';
import type { ProjectTools } from './projectTools.ts';

const write = { tool: 'run', input: { command: 'codebolt fs write --path b.txt --content x' } };

async function bridgeOf({ engine, project }: TestBench): Promise<ProjectTools> {
  const opened = await engine.project(project);
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value.bridge;
}

describe('a pseudo command in a session', () => {
  test('asks for the call within it, which belongs to the one that made it', async () => {
    const bench = testBench({});
    const session = await bench.session([{ calls: [write] }, { text: 'Done.' }]);
    await session.send('write it');
    const { call } = await session.next('permission.asked');
    expect(session.waiting().map(({ tool }) => tool)).toEqual(['write_file']);
    const outer = callsOf(session.mirror()).find(({ tool }) => tool === 'run');
    expect(call.startsWith(`${outer?.id ?? 'none'}>`)).toBe(true);
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    await session.next('turn.finished');
    expect(bench.file('b.txt')).toBe('x');
    const told = callsOf(session.mirror()).map(({ tool, result }) => [tool, result?.success]);
    expect(told).toEqual([
      ['run', true],
      ['write_file', true],
    ]);
  });

  test('a no to the call within is the answer of the command', async () => {
    const bench = testBench({});
    const session = await bench.session([{ calls: [write] }, { text: 'Not then.' }]);
    await session.send('write it');
    const { call } = await session.next('permission.asked');
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'deny', reason: 'never' });
    await session.next('turn.finished');
    expect(existsSync(join(bench.project, 'b.txt'))).toBe(false);
    const outer = callsOf(session.mirror()).find(({ tool }) => tool === 'run');
    expect(outer?.result).toMatchObject({
      success: true,
      data: { exitCode: 1, stderr: expect.stringContaining('never') },
    });
  });

  test('what the phase hides is refused within the command, and the rest of the reply runs once', async () => {
    const bench = testBench({ 'a.txt': 'hello\n' });
    const read = { tool: 'read_file', input: { filePath: 'a.txt' } };
    const session = await bench.session([{ calls: [write, read] }, { text: 'So.' }, { text: 'So.' }], 'phased');
    await session.say('look');
    const told = callsOf(session.mirror()).map(({ tool, result }) => [
      tool,
      result?.success === false ? result.error.code : 'fine',
    ]);
    expect(told.toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))).toEqual([
      ['read_file', 'fine'],
      ['run', 'fine'],
      ['write_file', 'PHASE_FORBIDDEN'],
    ]);
  });

  test('a restart while the call within waits ends that one and asks anew', async () => {
    const first = testBench({});
    const before = await first.session([{ calls: [write] }, { text: 'Done.' }]);
    await before.send('write it');
    const { call: old } = await before.next('permission.asked');
    const bench = await first.restart();
    await bench.client.call('session.watch', { session: before.id }); // what the restart itself tells comes first
    const session = await followSession(bench.client, before.id);
    await bench.client.call('session.continue', { session: session.id });
    const { call } = await session.next('permission.asked');
    expect(call).not.toBe(old);
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    await session.next('turn.finished');
    expect([bench.file('b.txt'), liveCallsOf(session.mirror())]).toEqual(['x', []]);
    expect(callsOf(session.mirror()).find(({ id }) => id === old)?.result).toMatchObject({
      success: false,
      error: { code: 'CANCELLED' },
    });
  });
});

describe('specs and servers', () => {
  test('what is shipped is offered from the first turn, which starts no program for it', async () => {
    const bench = testBench({});
    const bridge = await bridgeOf(bench);
    const before = bridge.toolset.find('git_blame');
    const session = await bench.session([{ text: 'Hello.' }], 'ask');
    await session.say('hello');
    expect([before, bridge.toolset.find('git_blame')?.source]).toEqual([undefined, 'spec git (bundled)']);
    expect(existsSync(join(bench.home, 'state', 'specProbes.json'))).toBe(false);
  });

  /** A project with a spec for a program that notes each start. */
  function benchWithProgram(ports: { readonly trustWorkspace?: boolean }): { bench: TestBench; starts: () => string } {
    const command = sampleCommand({ name: 'speak' });
    const spec = JSON.stringify(sampleSpec({ name: 'sayit', binary: 'sayit', commands: [command] }));
    const bin = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bin-')));
    onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
    const count = join(bin, 'starts');
    writeFileSync(count, '');
    writeFileSync(join(bin, 'sayit'), `#!/bin/sh\necho start >> '${count}'\necho "sayit 1.0.0"\n`);
    chmodSync(join(bin, 'sayit'), 0o755);
    const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
    const bench = testBench(
      { '.cli-bridge/specs/sayit/1.0.0.json': spec },
      { resources: join(bin, 'none'), env, ...ports },
    );
    return { bench, starts: () => readFileSync(count, 'utf8') };
  }

  test('a program is asked once for its version, also over a restart', async () => {
    const { bench, starts } = benchWithProgram({ trustWorkspace: true });
    const source = async ({ engine, project }: TestBench): Promise<string | undefined> => {
      const tools = await engine.toolset(project);
      return tools.ok ? tools.value.find('sayit_speak')?.source : undefined;
    };
    const again = [await source(bench), await source(await bench.restart())];
    expect([again, starts()]).toEqual([['spec sayit (project)', 'spec sayit (project)'], 'start\n']);
  });

  test('a pseudo command of a spec is understood without starting its program, once the spec is trusted', async () => {
    const command = 'codebolt spec sayit-speak --loud';
    const read = async (ports: { readonly trustWorkspace?: boolean }): Promise<unknown> => {
      const { bench, starts } = benchWithProgram(ports);
      const { action, error } = await (await bridgeOf(bench)).parse(command);
      return [action, error?.message, starts(), existsSync(join(bench.home, 'state', 'specProbes.json'))];
    };
    expect(await read({ trustWorkspace: true })).toEqual(['sayit-speak', undefined, '', false]);
    expect(await read({})).toEqual(['sayit-speak', 'Unknown module spec', '', false]);
  });

  test('trust that is given brings the tools of a project, and trust that is taken takes them', async () => {
    const { bench, starts } = benchWithProgram({});
    const { client, project: path } = bench;
    await client.call('project.open', { path });
    const bridge = await bridgeOf(bench);
    expect((await bridge.specs()).untrusted.map(({ tool }) => tool)).toEqual(['sayit']);
    expect([bridge.toolset.find('sayit_speak'), starts()]).toEqual([undefined, '']);
    const risks = await client.call('project.risks', { path });
    const hash = risks.ok ? risks.value.hash : '';
    const known: boolean[] = [];
    for (const trust of ['trusted', 'restricted'] as const) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const listening = bridge.onChange(resolve);
      await client.call('project.trust', { path, trust, hash });
      await promise;
      listening.dispose();
      known.push(bridge.toolset.find('sayit_speak') !== undefined);
    }
    expect(known).toEqual([true, false]);
  });
});

describe('a single call', () => {
  test.each([
    ['allow', { success: true }, true],
    ['deny', { success: false, error: { code: 'PERMISSION_DENIED' } }, false],
    [
      'unavailable',
      {
        success: false,
        error: { code: 'PERMISSION_REQUIRED', message: expect.stringMatching(/^(?!.*person).*--allow/) },
      },
      false,
    ],
  ] as const)('is put before whoever may answer, and %s counts', async (answer, expected, written) => {
    const bench = testBench({});
    const heard: string[] = [];
    const input = { filePath: 'b.txt', content: 'x' };
    const result = await bench.engine.callTool(bench.project, 'write_file', input, new AbortController().signal, {
      onEvent: ({ type }) => void heard.push(type),
      ask: () => Promise.resolve(answer),
    });
    expect(result).toMatchObject(expected);
    expect([existsSync(join(bench.project, 'b.txt')), heard.includes('permission.answered')]).toEqual([written, true]);
  });
});
