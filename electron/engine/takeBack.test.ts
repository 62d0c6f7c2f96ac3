import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sinceStart } from '../../shared/model/sinceStart.ts';
import { itemsOf } from '../../shared/model/timeline.ts';
import { testBench } from './testing/engineForTest.ts';

const lines = 'one\ntwo\nthree\nfour\nfive\n';
const edit = (filePath: string, oldStr: string, newStr: string) => ({
  calls: [{ tool: 'edit_file', input: { filePath, oldStr, newStr } }],
});
const first = { oldStart: 0, oldEnd: 1, nowStart: 0, nowEnd: 1 };

/** A session that applies edits as they come has edited a.txt twice, and made c.txt. */
async function edited() {
  const bench = testBench({ 'a.txt': lines });
  const session = await bench.session([
    edit('a.txt', 'one', 'ONE'),
    edit('a.txt', 'five', 'FIVE'),
    { calls: [{ tool: 'write_file', input: { filePath: 'c.txt', content: 'new\n' } }] },
    { text: 'Done.' },
  ]);
  const { client } = bench;
  await client.call('session.configure', { session: session.id, appliesEdits: true });
  await session.send('go');
  await session.next('turn.finished');
  const fileOf = (path: string) => {
    const file = sinceStart(session.mirror().changeSets).find((one) => one.path === path);
    return { session: session.id, path, before: file?.before ?? null, after: file?.after ?? null };
  };
  return { bench, client, session, fileOf };
}

test('edits that are applied as they come ask nothing; each hunk of all of them can be taken back, and put back', async () => {
  const { bench, client, session, fileOf } = await edited();
  expect(bench.file('a.txt')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
  const taken = await client.call('change.takeBack', { ...fileOf('a.txt'), hunks: [first] });
  expect(taken).toMatchObject({ ok: true });
  expect(bench.file('a.txt')).toBe('one\ntwo\nthree\nfour\nFIVE\n');
  const set = session.mirror().changeSets.at(-1);
  expect(set).toMatchObject({ isTakenBack: true, state: 'applied', files: [{ path: 'a.txt', verdict: 'applied' }] });
  expect([...itemsOf(session.mirror().items)].at(-1)).toMatchObject({
    kind: 'system',
    text: 'The person took back some of the lines that you wrote in a.txt. Read before you edit there.',
  });
  await client.call('change.undo', { session: session.id, changeSet: set?.id ?? '' });
  expect(bench.file('a.txt')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
  expect(session.mirror()).toEqual(bench.engine.sessions.live(session.id)?.session.state);
});

test('a hunk is taken back where its lines stand now; lines that were changed since are left alone', async () => {
  const { bench, client, fileOf } = await edited();
  const asked = { ...fileOf('a.txt'), hunks: [{ oldStart: 4, oldEnd: 5, nowStart: 4, nowEnd: 5 }] };
  writeFileSync(join(bench.project, 'a.txt'), 'mine\nONE\ntwo\nthree\nfour\nFIVE\n');
  expect(await client.call('change.takeBack', asked)).toMatchObject({ ok: true });
  expect(bench.file('a.txt')).toBe('mine\nONE\ntwo\nthree\nfour\nfive\n');
  writeFileSync(join(bench.project, 'a.txt'), 'ONE, by hand\ntwo\nthree\nfour\nFIVE\n');
  expect(await client.call('change.takeBack', { ...fileOf('a.txt'), hunks: [first] })).toMatchObject({
    ok: false,
    error: { code: 'STALE', details: { files: [{ path: 'a.txt', why: 'these lines were changed since' }] } },
  });
  expect(bench.file('a.txt')).toBe('ONE, by hand\ntwo\nthree\nfour\nFIVE\n');
});

test('a file is taken back as a whole, and only what the session wrote', async () => {
  const { bench, client, session, fileOf } = await edited();
  const made = fileOf('c.txt');
  expect(await client.call('change.takeBack', made)).toMatchObject({ ok: true });
  expect(() => bench.file('c.txt')).toThrow();
  expect(sinceStart(session.mirror().changeSets).map(({ path }) => path)).toEqual(['a.txt']);
  await client.call('change.undo', { session: session.id, changeSet: session.mirror().changeSets.at(-1)?.id ?? '' });
  expect(bench.file('c.txt')).toBe('new\n');
  for (const wrong of [{ path: 'b.txt' }, { before: '0'.repeat(64) }, { after: '0'.repeat(64) }])
    expect(await client.call('change.takeBack', { ...fileOf('a.txt'), ...wrong })).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR' },
    });
});

test('a last line without an end comes back with one only before other lines', async () => {
  const bench = testBench({ 'a.txt': 'a\nb' });
  const session = await bench.session([edit('a.txt', 'a\nb', 'a\nB\nc'), { text: 'Done.' }]);
  await bench.client.call('session.configure', { session: session.id, appliesEdits: true });
  await session.send('go');
  await session.next('turn.finished');
  const [file] = sinceStart(session.mirror().changeSets);
  const { path = '', before = null, after = null } = file ?? {};
  const asked = { session: session.id, path, before, after };
  await bench.client.call('change.takeBack', { ...asked, hunks: [{ oldStart: 1, oldEnd: 2, nowStart: 1, nowEnd: 2 }] });
  expect(bench.file('a.txt')).toBe('a\nb\nc');
});

test('J6: where a folder could steer or run something, edits come unasked only while it is trusted as it is', async () => {
  const bench = testBench({ 'a.txt': lines, 'AGENTS.md': 'Write what you like.\n' });
  const { client, project } = bench;
  const turnOf = (word: string) => [edit('a.txt', word, word.toUpperCase()), { text: 'Done.' }];
  const session = await bench.session(['one', 'two', 'three'].flatMap(turnOf));
  await client.call('session.configure', { session: session.id, appliesEdits: true });
  const isAsked = async () => {
    await session.send('go');
    const { call, approval } = await session.next('permission.asked');
    expect(approval.reasons[0]).toBe('edits are applied as they come only in a folder that you trust as it is now');
    await client.call('permission.answer', { session: session.id, call, decision: 'deny' });
    await session.next('turn.finished');
  };
  await isAsked();
  await client.call('project.open', { path: project });
  const found = await client.call('project.risks', { path: project });
  const hash = found.ok ? found.value.hash : '';
  await client.call('project.trust', { path: project, trust: 'trusted', hash });
  await session.say('go');
  expect(bench.file('a.txt')).toBe(lines.replace('two', 'TWO'));
  writeFileSync(join(project, 'AGENTS.md'), 'Write elsewhere.\n');
  await isAsked();
  expect(bench.file('a.txt')).toBe(lines.replace('two', 'TWO'));
});
