import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SpecList } from '../../../shared/contract/specApi.ts';
import { sampleCommand, sampleSpec } from '../bridge/cliSpec/testing/sampleSpec.ts';
import { type TestBench, testBench } from '../testing/engineForTest.ts';

const command = sampleCommand({ name: 'speak', args: [], flags: [] });
const spec = (changes: object = {}): string =>
  JSON.stringify(sampleSpec({ name: 'sayit', binary: 'sayit', commands: [command], ...changes }));
const inProject = '.cli-bridge/specs/sayit/1.0.0.json';

/** A project and a program that notes each start. */
function bench(files: Readonly<Record<string, string>>): { made: TestBench; starts: () => number } {
  const bin = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bin-')));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  const notes = join(bin, 'starts');
  writeFileSync(notes, '');
  const help =
    'Says things.\\n\\nCommands:\\n  speak <words>   Say the words\\n  listen          Wait for an answer\\n';
  const script = [
    '#!/bin/sh',
    `echo "$*" >> '${notes}'`,
    `case "$1" in --version) echo sayit 1.0.0;; --help) printf '${help}';; *) exit 1;; esac`,
  ];
  writeFileSync(join(bin, 'sayit'), `${script.join('\n')}\n`);
  chmodSync(join(bin, 'sayit'), 0o755);
  const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  const made = testBench(files, { resources: join(bin, 'none'), env });
  return { made, starts: () => readFileSync(notes, 'utf8').split('\n').length - 1 };
}

async function list({ client, project }: TestBench): Promise<SpecList> {
  const listed = await client.call('spec.list', { project });
  if (!listed.ok) throw new Error(listed.error.message);
  return listed.value;
}

const told = ({ specs }: SpecList): readonly unknown[] =>
  specs.map(({ name, source, trust, commands }) => [
    name,
    source,
    trust,
    commands.map(({ tool, level }) => [tool, level]),
  ]);

describe.skipIf(process.platform === 'win32')('the specs page (POSIX only: its program is an sh script)', () => {
  test('J1: a spec of a project is shown with what it would do, and nothing of it starts before it is trusted', async () => {
    const { made, starts } = bench({ [inProject]: spec() });
    const before = await list(made);
    expect(before.specs).toMatchObject([
      {
        name: 'sayit',
        source: 'project',
        trust: 'asked',
        binary: 'sayit',
        path: join(made.project, inProject),
        commands: [{ name: 'speak', description: command.description, usage: command.usage }],
      },
    ]);
    expect(starts()).toBe(0);
    const hash = before.specs[0]?.hash ?? '';
    const trust = { project: made.project, name: 'sayit', hash };
    expect(await made.client.call('spec.trust', { ...trust, trusted: true })).toEqual({ ok: true, value: {} });
    expect(told(await list(made))).toEqual([['sayit', 'project', 'trusted', [['sayit_speak', 'moderate']]]]);
    expect(starts()).toBe(1);
    await made.client.call('spec.trust', { ...trust, trusted: false });
    expect(told(await list(made))).toEqual([['sayit', 'project', 'refused', [[undefined, undefined]]]]);
  });

  test('J2: trust in one spec outlives a restart and ends when the spec changes', async () => {
    const { made } = bench({ [inProject]: spec() });
    const hash = (await list(made)).specs[0]?.hash ?? '';
    await made.client.call('spec.trust', { project: made.project, name: 'sayit', hash, trusted: true });
    const second = await made.restart();
    expect((await list(second)).specs.map(({ trust }) => trust)).toEqual(['trusted']);
    writeFileSync(join(made.project, inProject), spec({ description: 'Now something else' }));
    const third = await second.restart();
    expect((await list(third)).specs.map(({ trust }) => trust)).toEqual(['asked']);
    const stale = await third.client.call('spec.trust', { project: made.project, name: 'sayit', hash, trusted: true });
    expect(stale).toMatchObject({ ok: false, error: { code: 'STALE' } });
  });

  test('a spec that is not of the project needs no trust', async () => {
    const { made } = bench({});
    const file = join(made.ports.places.specs, 'sayit', '1.0.0.json');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, spec());
    const [view] = (await list(made)).specs;
    expect([view?.trust, view?.installedVersion, view?.exactVersionMatch]).toEqual(['own', '1.0.0', true]);
    const trust = { project: made.project, name: 'sayit', hash: view?.hash ?? '', trusted: true };
    expect(await made.client.call('spec.trust', trust)).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR' },
    });
  });

  test('the level of a spec or of one tool is set, counts at once, and is taken back', async () => {
    const { made } = bench({});
    const { client, engine, project } = made;
    const file = join(made.ports.places.specs, 'sayit', '1.0.0.json');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, spec());
    await list(made);
    const levels = async () => {
      const { specs } = await list(made);
      const tools = await engine.toolset(project);
      return [specs[0]?.level, specs[0]?.commands[0]?.level, tools.ok && tools.value.find('sayit_speak')?.permission];
    };
    await client.call('spec.level', { name: 'sayit', level: 'dangerous' });
    expect(await levels()).toEqual(['dangerous', 'dangerous', 'dangerous']);
    await client.call('spec.level', { name: 'sayit_speak', level: 'none' });
    expect(await levels()).toEqual(['dangerous', 'none', 'none']);
    await client.call('spec.level', { name: 'sayit_speak', level: null });
    await client.call('spec.level', { name: 'sayit', level: null });
    expect(await levels()).toEqual([undefined, 'moderate', 'moderate']);
  });

  test('a program is read for review, and what was reviewed is written and loaded', async () => {
    const { made } = bench({});
    const { client, project } = made;
    const proposed = await client.call('spec.propose', { project, binary: 'sayit' });
    const path = join(made.ports.places.specs, 'sayit', '1.0.0.json');
    expect(proposed).toMatchObject({
      ok: true,
      value: { name: 'sayit', version: '1.0.0', kind: 'heuristic', path, exists: false },
    });
    expect(existsSync(path)).toBe(false);
    const text = proposed.ok ? proposed.value.text : '';
    expect(await client.call('spec.validate', { text })).toMatchObject({
      ok: true,
      value: { ok: true, errors: [], commands: ['speak', 'listen'] },
    });
    const edited = text.replace('Wait for an answer', 'Wait for a reply');
    const register = { project, text: edited, version: '1.0.0' };
    expect(await client.call('spec.register', register)).toEqual({
      ok: true,
      value: { path, tools: ['sayit_listen', 'sayit_speak'] },
    });
    expect(readFileSync(path, 'utf8')).toBe(edited);
    expect(await client.call('spec.register', register)).toMatchObject({ ok: false, error: { code: 'FILE_EXISTS' } });
    expect(await client.call('spec.register', { ...register, replace: true })).toMatchObject({ ok: true });
    expect((await client.call('spec.propose', { project, binary: 'sayit' })).ok).toBe(true);
  });

  test('what cannot be a spec is told and not written', async () => {
    const { made } = bench({});
    const { client, project } = made;
    const broken = { project, text: '{"name":"../x"}', version: '1.0.0' };
    expect(await client.call('spec.register', broken)).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
    expect(await client.call('spec.register', { ...broken, text: spec(), version: '../../x' })).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR' },
    });
    expect(await client.call('spec.validate', { text: '{' })).toMatchObject({ ok: true, value: { ok: false } });
    expect(await client.call('spec.propose', { project, binary: 'no-such-program' })).toMatchObject({
      ok: false,
      error: { code: 'COMMAND_NOT_FOUND' },
    });
    expect(await client.call('spec.propose', { project, binary: '../sayit' })).toMatchObject({
      ok: false,
      error: { code: 'COMMAND_NOT_FOUND' },
    });
  });

  test('a refresh asks every program again', async () => {
    const { made, starts } = bench({});
    const file = join(made.ports.places.specs, 'sayit', '1.0.0.json');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, spec());
    await list(made);
    await list(made);
    const before = starts();
    const anew = await made.client.call('spec.refresh', { project: made.project });
    expect([anew.ok && told(anew.value), before, starts()]).toEqual([
      [['sayit', 'user', 'own', [['sayit_speak', 'moderate']]]],
      1,
      2,
    ]);
  });
});
