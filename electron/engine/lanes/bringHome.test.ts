import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { followSession } from '../testing/engineForTest.ts';
import { type LaneBench, laneBench, valueOf } from '../testing/laneBench.ts';
import { writeFiles } from '../workspace/testing/testFolder.ts';

const tenLines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('');
const withLines = (changed: Readonly<Record<number, string>>): string =>
  tenLines
    .split('\n')
    .map((line, index) => changed[index + 1] ?? line)
    .join('\n');

/** Lanes of these names, each with its own files. */
async function lanesWith(
  { client, project }: LaneBench,
  lanes: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<Readonly<Record<string, { readonly folder: string; readonly session: string }>>> {
  const made: Record<string, { readonly folder: string; readonly session: string }> = {};
  for (const [name, files] of Object.entries(lanes)) {
    const { folder, session } = valueOf(await client.call('lane.create', { project, name }));
    writeFiles(folder, files);
    made[name] = { folder, session };
  }
  return made;
}

test('hunks of two of three lanes are one review, one write and one undo, on the project as it is now', async () => {
  const bench = laneBench({ 'a.txt': tenLines, 'b.txt': 'b\n' });
  const { client, project } = bench;
  const made = await lanesWith(bench, {
    one: { 'a.txt': withLines({ 2: 'ONE 2', 5: 'ONE 5' }), 'new.txt': 'new\n' },
    two: { 'a.txt': withLines({ 8: 'TWO 8' }) },
    three: { 'a.txt': withLines({ 5: 'THREE 5' }) },
  });
  const mine = withLines({ 10: 'mine 10' });
  writeFiles(project, { 'a.txt': mine });
  const picks = [
    { lane: 'one', files: [{ path: 'a.txt', hunks: [0] }, { path: 'new.txt' }] },
    { lane: 'two', files: [{ path: 'a.txt', hunks: [0] }] },
  ];
  const { session: id, call } = valueOf(await client.call('lane.bringHome', { project, picks }));
  const session = await followSession(client, id);
  expect(session.mirror().title).toBe('Bring home one, two');
  const [waiting] = session.waiting();
  expect(waiting).toMatchObject({
    id: call,
    intent: { preview: { kind: 'changes', changes: [{ path: 'a.txt' }, { path: 'new.txt' }] } },
  });
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(mine);
  valueOf(await client.call('permission.answer', { session: id, call, decision: 'once' }));
  await session.next('tool.finished');
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(withLines({ 2: 'ONE 2', 8: 'TWO 8', 10: 'mine 10' }));
  expect(readFileSync(join(project, 'new.txt'), 'utf8')).toBe('new\n');
  const sets = session.mirror().changeSets;
  expect(sets).toHaveLength(1);
  valueOf(await client.call('change.undo', { session: id, changeSet: sets[0]?.id ?? '' }));
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(mine);
  expect(existsSync(join(project, 'new.txt'))).toBe(false);
  // Each candidate learns its verdict; one of which nothing was picked learns nothing.
  const told = async (name: string): Promise<readonly string[]> => {
    const { state } = valueOf(await client.call('session.watch', { session: made[name]?.session ?? '' }));
    return [...itemsOf(state.items)].flatMap((item) => (item.kind === 'system' ? [item.text] : []));
  };
  expect(await told('one')).toEqual([expect.stringContaining('a.txt: written; new.txt: written')]);
  expect(await told('two')).toEqual([expect.stringContaining('a.txt: written')]);
  expect(await told('three')).toEqual([]);
});

test('a pick that meets another one, or the project, is refused with its reason, and the rest comes when that is said', async () => {
  const bench = laneBench({ 'a.txt': tenLines });
  const { client, project, engine } = bench;
  await lanesWith(bench, {
    one: { 'a.txt': withLines({ 2: 'ONE 2', 5: 'ONE 5' }) },
    three: { 'a.txt': withLines({ 5: 'THREE 5', 8: 'THREE 8' }) },
  });
  const picks = [{ lane: 'one' }, { lane: 'three' }];
  const before = engine.sessions.list().length;
  expect(await client.call('lane.bringHome', { project, picks })).toMatchObject({
    ok: false,
    error: {
      code: 'CONFLICT',
      details: {
        conflicts: [{ lane: 'three', path: 'a.txt', hunk: 0, why: 'line 5 was changed by the pick of one' }],
      },
    },
  });
  expect(engine.sessions.list()).toHaveLength(before);
  const { session: id, call } = valueOf(await client.call('lane.bringHome', { project, picks, leaveConflicts: true }));
  const session = await followSession(client, id);
  valueOf(await client.call('permission.answer', { session: id, call, decision: 'once' }));
  await session.next('tool.finished');
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(withLines({ 2: 'ONE 2', 5: 'ONE 5', 8: 'THREE 8' }));
});

test('two lanes that make one new file, or insert at one place, do not mix', async () => {
  const bench = laneBench({ 'a.txt': tenLines });
  const { client, project } = bench;
  await lanesWith(bench, {
    one: { 'new.txt': 'one\n', 'a.txt': tenLines.replace('line 4\n', 'line 4\nONE\n') },
    two: { 'new.txt': 'two\n', 'a.txt': tenLines.replace('line 4\n', 'line 4\nTWO\n') },
    same: { 'new.txt': 'one\n', 'a.txt': tenLines.replace('line 4\n', 'line 4\nONE\n') },
  });
  const refused = await client.call('lane.bringHome', { project, picks: [{ lane: 'one' }, { lane: 'two' }] });
  expect(refused).toMatchObject({
    error: { code: 'CONFLICT', details: { conflicts: [{ path: 'a.txt', hunk: 0 }, { path: 'new.txt' }] } },
  });
  expect(await client.call('lane.bringHome', { project, picks: [{ lane: 'one' }, { lane: 'same' }] })).toMatchObject({
    ok: true,
  });
});

test('a lane whose whole content came home closes without a word', async () => {
  const bench = laneBench({ 'a.txt': 'one\n', 'run.sh': '#!/bin/sh\n' }, { allow: 'dangerous' });
  const { client, project } = bench;
  const { idea } = await lanesWith(bench, { idea: { 'a.txt': 'two\n', 'sub/b.bin': '\0\u0001' } });
  const { session: id } = valueOf(await client.call('lane.bringHome', { project, picks: [{ lane: 'idea' }] }));
  const session = await followSession(client, id);
  if (session.mirror().changeSets.length === 0) await session.next('tool.finished');
  expect(readFileSync(join(project, 'sub/b.bin'), 'utf8')).toBe('\0\u0001');
  valueOf(await client.call('lane.close', { project, name: 'idea' }));
  expect(existsSync(idea?.folder ?? '')).toBe(false);
});

test('the branch of a lane is merged after a question, one lane at a time, and the lane closes without a word', async () => {
  const bench = laneBench({ 'a.txt': tenLines });
  const { client, project, git, gitIn } = bench;
  const { idea } = await lanesWith(bench, { idea: { 'a.txt': withLines({ 2: 'IDEA 2' }) }, other: {} });
  gitIn(idea?.folder ?? '', 'commit', '--quiet', '--all', '--message=work');
  git('config', 'user.name', 'A person');
  git('config', 'user.email', 'person@localhost');
  writeFiles(project, { 'b.txt': 'b\n' });
  git('add', '--all');
  git('commit', '--quiet', '--message=mine');
  const several = [{ lane: 'idea' }, { lane: 'other' }];
  expect(await client.call('lane.bringHome', { project, picks: several, merge: true })).toMatchObject({
    error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('one lane at a time') },
  });
  const picks = [{ lane: 'idea' }];
  const { session: id, call } = valueOf(await client.call('lane.bringHome', { project, picks, merge: true }));
  const session = await followSession(client, id);
  expect(session.mirror().title).toBe('Merge idea');
  expect(session.waiting()).toMatchObject([{ id: call, tool: 'git_merge' }]);
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(tenLines);
  valueOf(await client.call('permission.answer', { session: id, call, decision: 'once' }));
  const { result } = await session.next('tool.finished');
  expect(result).toMatchObject({ success: true, data: { merged: true, fastForward: false } });
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(withLines({ 2: 'IDEA 2' }));
  expect(git('log', '--format=%s').split('\n')).toEqual(expect.arrayContaining(['first', 'mine', 'work']));
  expect(valueOf(await client.call('lane.close', { project, name: 'idea' }))).toEqual({ commits: 0 });
});
