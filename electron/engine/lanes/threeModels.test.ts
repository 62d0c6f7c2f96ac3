import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { followSession, type ScriptReply, type TestSession } from '../testing/engineForTest.ts';
import { type LaneBench, laneBench, valueOf } from '../testing/laneBench.ts';

const tenLines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('');
const edit = (old: string, now: string) => ({
  tool: 'edit_file',
  input: { filePath: 'a.txt', oldStr: `${old}\n`, newStr: `${now}\n` },
});

interface Candidate {
  readonly session: TestSession;
  readonly folder: string;
}

/** A lane whose model plays these replies; its turn is under way, and its first call waits for the person. */
async function startCandidate(
  { client, project, home }: LaneBench,
  name: string,
  replies: readonly ScriptReply[],
): Promise<Candidate> {
  writeFileSync(join(dirname(home), 'script.json'), JSON.stringify({ replies }));
  const made = valueOf(await client.call('lane.create', { project, name, mode: 'direct' }));
  const session = await followSession(client, made.session);
  await session.send('Make a.txt loud.');
  await session.next('permission.asked');
  return { session, folder: made.folder };
}

/** Allows what waits, and what else is asked until the turn has ended. */
async function allowAll({ client }: LaneBench, { session }: Candidate): Promise<void> {
  const { id } = session;
  const allow = (call: string) => client.call('permission.answer', { session: id, call, decision: 'once' });
  client.onEvent(({ event, session: of }) => {
    if (of === id && event.type === 'permission.asked') void allow(event.call);
  });
  for (const { id: call } of session.waiting()) valueOf(await allow(call));
  expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done' });
}

test('three models do one task in lanes at once; hunks of two are one set and one undo, and a pick that conflicts is refused with its reason', async () => {
  const bench = laneBench({ 'a.txt': tenLines });
  const { client, project } = bench;
  const done = { text: 'It is loud.' };
  const candidates = {
    one: await startCandidate(bench, 'one', [
      { calls: [edit('line 2', 'ONE 2')] },
      { calls: [edit('line 5', 'ONE 5')] },
      done,
    ]),
    two: await startCandidate(bench, 'two', [
      { calls: [edit('line 8', 'TWO 8'), { tool: 'write_file', input: { filePath: 'two.txt', content: 'two\n' } }] },
      done,
    ]),
    three: await startCandidate(bench, 'three', [{ calls: [edit('line 5', 'THREE 5')] }, done]),
  };
  // All three wait for their person, and nothing is written yet, in no lane.
  for (const { folder } of Object.values(candidates))
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(tenLines);
  await Promise.all(Object.values(candidates).map((candidate) => allowAll(bench, candidate)));
  const { lanes } = valueOf(await client.call('lane.list', { project }));
  expect(lanes).toMatchObject([
    { name: 'one', files: 1, additions: 2, deletions: 2 },
    { name: 'two', files: 2, additions: 2, deletions: 1 },
    { name: 'three', files: 1, additions: 1, deletions: 1 },
  ]);
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(tenLines);

  const both = [{ lane: 'one' }, { lane: 'three' }];
  expect(await client.call('lane.bringHome', { project, picks: both })).toMatchObject({
    error: {
      code: 'CONFLICT',
      details: { conflicts: [{ lane: 'three', path: 'a.txt', why: 'line 5 was changed by the pick of one' }] },
    },
  });
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(tenLines);

  const picks = [{ lane: 'one', files: [{ path: 'a.txt', hunks: [1] }] }, { lane: 'two' }];
  const { session: id, call } = valueOf(await client.call('lane.bringHome', { project, picks }));
  const review = await followSession(client, id);
  valueOf(await client.call('permission.answer', { session: id, call, decision: 'once' }));
  await review.next('tool.finished');
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(
    tenLines.replace('line 5', 'ONE 5').replace('line 8', 'TWO 8'),
  );
  expect(readFileSync(join(project, 'two.txt'), 'utf8')).toBe('two\n');
  const [set, ...more] = review.mirror().changeSets;
  expect(more).toEqual([]);
  valueOf(await client.call('change.undo', { session: id, changeSet: set?.id ?? '' }));
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(tenLines);
  expect(existsSync(join(project, 'two.txt'))).toBe(false);
});
