import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RewindPart, RewindPoint } from '../../../shared/model/rewind.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { fail, ok } from '../../../shared/result.ts';
import { followSession, noticesOf, type TestBench, testBench } from '../testing/engineForTest.ts';
import { recordDone, writeRecord } from '../workspace/applyRecord.ts';
import { deadOwner } from '../workspace/testing/halfWritten.ts';
import { createHistory } from './history.ts';

const write = (filePath: string, content: string) => ({ tool: 'write_file', input: { filePath, content } });
const kindsOf = ({ items }: SessionState) => [...itemsOf(items)].map(({ kind }) => kind);
const readsOf = (state: SessionState) =>
  createHistory({ resultChars: () => 10_000, readImage: () => undefined })(state).map(({ text }) => text);

/** Two turns that each write a file: items 0 to 4 and 5 to 9. */
async function twoTurns(between: (bench: TestBench) => void = () => undefined) {
  const bench = testBench({ a: 'old' }, { allow: 'dangerous' });
  const session = await bench.session([
    { calls: [write('a', 'one')] },
    { text: 'First done.' },
    { calls: [write('a', 'two'), write('b', 'new')] },
    { text: 'Second done.' },
    { text: 'Third done.' },
  ]);
  await session.say('First');
  between(bench);
  await session.say('Second');
  const rewind = (to: RewindPoint, what: RewindPart, preview = false) =>
    bench.client.call('session.rewind', { session: session.id, to, what, preview });
  const second = kindsOf(session.mirror()).lastIndexOf('user');
  return { bench, session, rewind, second };
}

const fileOrNone = (bench: TestBench, name: string): string | undefined => {
  try {
    return bench.file(name);
  } catch {
    return undefined;
  }
};

test('files and conversation go back to before a message, and the talk goes on from there with another model', async () => {
  const { bench, session, rewind, second } = await twoTurns();
  const files = [
    { path: 'b', now: 'removed' },
    { path: 'a', now: 'changed' },
  ] as const;
  const before = session.mirror();
  const shown = await rewind({ item: second }, 'both', true);
  expect(shown).toMatchObject({ ok: true, value: { left: [], items: kindsOf(before).length - second } });
  expect(shown.ok && shown.value.files.toSorted((x, y) => x.path.localeCompare(y.path))).toEqual(files.toReversed());
  expect([session.mirror(), bench.file('a'), bench.file('b')]).toEqual([before, 'two', 'new']);
  expect(await rewind({ item: second }, 'both')).toMatchObject(shown);
  expect([bench.file('a'), fileOrNone(bench, 'b')]).toEqual(['one', undefined]);
  expect(kindsOf(session.mirror())).toEqual([...kindsOf(before).slice(0, second), 'notice']);
  expect(session.mirror().changeSets.map(({ state }) => state)).toEqual(['applied', 'undone', 'undone']);
  await bench.client.call('session.configure', { session: session.id, model: 'another' });
  await session.say('Third');
  expect(session.mirror().model).toBe('another');
  // The script of the other model begins where the talk stands: it writes anew what went.
  const read = readsOf(session.mirror());
  expect([read.includes('Second'), read.includes('First'), read.at(-1)]).toEqual([false, true, 'Second done.']);
  // Nothing is cut from the journal, and another opening gives the same.
  const again = await bench.restart();
  const resumed = await followSession(again.client, session.id);
  expect(resumed.mirror().items).toEqual(session.mirror().items);
  expect(readFileSync(join(bench.home, 'state', 'sessions', session.id, 'journal.jsonl'), 'utf8')).toContain('Second');
});

test('before a change of a running task: the reply that made it goes, and the turn can be continued from there', async () => {
  const { bench, session, rewind, second } = await twoTurns();
  const changeSet = session.mirror().changeSets[1]?.id ?? '';
  expect((await rewind({ changeSet }, 'both')).ok).toBe(true);
  expect([bench.file('a'), fileOrNone(bench, 'b')]).toEqual(['one', undefined]);
  expect(kindsOf(session.mirror()).slice(second)).toEqual(['user', 'notice']);
  expect((await bench.client.call('session.continue', { session: session.id })).ok).toBe(true);
  await session.next('turn.finished');
  expect(readsOf(session.mirror()).slice(-2)).toEqual(['Second', 'Third done.']);
});

test('files alone go back and forth, and the model is told to look again', async () => {
  const { bench, session, rewind } = await twoTurns();
  const [first, last] = session.mirror().changeSets;
  expect((await rewind({ changeSet: first?.id ?? '' }, 'files')).ok).toBe(true);
  expect([bench.file('a'), fileOrNone(bench, 'b')]).toEqual(['old', undefined]);
  expect(readsOf(session.mirror()).at(-1)).toMatch(/^\(From Vise, .* files only\. .*Read files again/);
  expect((await rewind({ changeSet: last?.id ?? '' }, 'files')).ok).toBe(true);
  expect([bench.file('a'), fileOrNone(bench, 'b')]).toEqual(['one', undefined]);
});

test('what others wrote since, or in between, is named and left alone', async () => {
  const { bench, session, rewind } = await twoTurns();
  writeFileSync(join(bench.project, 'b'), 'typed by hand');
  const first = { changeSet: session.mirror().changeSets[0]?.id ?? '' };
  expect(await rewind(first, 'files')).toMatchObject({
    ok: true,
    value: { files: [{ path: 'a', now: 'changed' }], left: [{ path: 'b', why: 'its content changed since' }] },
  });
  expect([bench.file('a'), bench.file('b')]).toEqual(['old', 'typed by hand']);
  expect(noticesOf(session.mirror()).at(-1)).toContain('Left as they are: b (its content changed since).');

  // Between two changes: the file would go back past what the person wrote.
  const other = await twoTurns(({ project }) => writeFileSync(join(project, 'a'), 'typed by hand'));
  const [one, two] = other.session.mirror().changeSets;
  const left = await other.rewind({ changeSet: one?.id ?? '' }, 'files');
  expect(left).toMatchObject({ ok: true, value: { files: [{ path: 'b' }], left: [{ path: 'a' }] } });
  expect(other.bench.file('a')).toBe('two');
  expect((await other.rewind({ changeSet: two?.id ?? '' }, 'files')).ok).toBe(true);
  expect(other.bench.file('a')).toBe('typed by hand');
});

test('the conversation alone goes back, and the model is told that the files did not', async () => {
  const { bench, session, rewind, second } = await twoTurns();
  expect((await rewind({ item: second }, 'talk')).ok).toBe(true);
  expect([bench.file('a'), bench.file('b')]).toEqual(['two', 'new']);
  expect(readsOf(session.mirror()).at(-1)).toContain('conversation only; the files stay as they are');
  // A fork at an item counts those that are there now, not those that went.
  await session.say('Third');
  const forked = await bench.client.call('session.fork', { session: session.id, item: 1_000 });
  if (!forked.ok) throw new Error(forked.error.message);
  const fork = await followSession(bench.client, forked.value.session);
  expect(readsOf(fork.mirror())).toEqual(readsOf(session.mirror()));
  // The fork has its own way back; what its parent wrote meanwhile is not its own.
  expect((await rewind({ item: 0 }, 'both')).ok).toBe(true);
  const set = fork.mirror().changeSets[0]?.id ?? '';
  const behind = await bench.client.call('session.rewind', { session: fork.id, to: { changeSet: set }, what: 'files' });
  expect(behind).toMatchObject({ ok: true, value: { files: [] } });
  expect(bench.file('a')).toBe('old');
});

test('a running turn, an unknown point and a content that is gone are told; nothing happens', async () => {
  const { bench, session, rewind } = await twoTurns();
  for (const to of [{ item: 1_000 }, { changeSet: 'none' }])
    expect(await rewind(to, 'both')).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  rmSync(join(bench.home, 'state', 'sessions', session.id, 'contents'), { recursive: true });
  const gone = await rewind({ item: 0 }, 'files');
  expect(gone).toMatchObject({ ok: true, value: { files: [{ path: 'b', now: 'removed' }] } });
  expect(gone.ok && gone.value.left).toEqual([{ path: 'a', why: 'its earlier content is no longer kept' }]);
  expect([bench.file('a'), fileOrNone(bench, 'b')]).toEqual(['two', undefined]);

  const asking = testBench({ a: 'old' });
  const waits = await asking.session([{ calls: [write('a', 'one')] }]);
  await waits.send('First');
  await waits.next('permission.asked');
  const refused = await asking.client.call('session.rewind', { session: waits.id, to: { item: 0 }, what: 'both' });
  expect(refused).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  expect(waits.waiting()).toHaveLength(1);
});

test('a crash between the last file and the journal loses no rewind, and none is told twice', async () => {
  const { bench, session, rewind, second } = await twoTurns();
  const journal = join(bench.home, 'state', 'sessions', session.id, 'journal.jsonl');
  const before = readFileSync(journal);
  expect((await rewind({ item: second }, 'both')).ok).toBe(true);
  const after = session.mirror();
  const fact = session.heard.at(-1)?.event;
  const cut = async (isLost: boolean): Promise<void> => {
    if (isLost) writeFileSync(journal, before);
    const records = join(bench.home, 'state', 'applies');
    const id = `cut${isLost}`;
    const file = {
      path: 'a',
      real: join(bench.project, 'a'),
      before: null,
      after: null,
      temporary: '.n',
      backup: '.o',
    };
    await writeRecord(records, {
      version: 2,
      id,
      session: session.id,
      owner: deadOwner,
      folders: [],
      fact,
      files: [file],
    });
    await recordDone(records, id);
  };
  let again = await bench.restart(() => cut(true));
  for (const isLost of [false, false]) {
    const resumed = await followSession(again.client, session.id);
    const { items, changeSets, rewound } = resumed.mirror();
    expect([kindsOf(resumed.mirror()), changeSets, rewound]).toEqual([kindsOf(after), after.changeSets, after.rewound]);
    expect(items.length).toBe(after.items.length);
    again = await again.restart(() => cut(isLost));
  }
});

test('a rewind can be taken back: its files come again, and what went of the conversation opens as a copy', async () => {
  const { bench, session, rewind, second } = await twoTurns();
  const before = session.mirror();
  const gone = await rewind({ item: second }, 'both');
  const id = (gone.ok && gone.value.rewind) || 'none';
  expect(session.mirror().rewound).toBe(id);
  expect(await rewind({ rewind: id }, 'both')).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  expect(await rewind({ rewind: id }, 'files')).toMatchObject({ ok: true, value: { left: [], items: 0 } });
  expect([bench.file('a'), bench.file('b')]).toEqual(['two', 'new']);
  const forked = await bench.client.call('session.fork', { session: session.id, rewind: id });
  if (!forked.ok) throw new Error(forked.error.message);
  const fork = await followSession(bench.client, forked.value.session);
  const told = (state: SessionState) => [
    readsOf(state),
    kindsOf(state),
    state.changeSets.map(({ id: set, files, state: now }) => [set, files, now]),
  ];
  expect(told(fork.mirror())).toEqual(told(before));
  const none = await bench.client.call('session.fork', { session: session.id, rewind: 'none' });
  expect(none).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
});

test('while a session goes back no turn begins, and a message that is sent waits for it', async () => {
  const { bench, session } = await twoTurns();
  const before = session.mirror().turns;
  const { agent } = bench.engine.sessions.live(session.id) ?? {};
  const { promise: isSent, resolve: send } = Promise.withResolvers<void>();
  const apart = agent?.apart(async () => {
    send(session.send('Third'));
    // Time enough for a turn that nothing holds: each of these is a round of the wire and of the disk.
    for (let round = 0; round < 30; round += 1)
      await bench.client.call('mention.find', { project: bench.project, query: 'a', limit: 1 });
    return ok([agent.proceed(), session.mirror().turns]);
  });
  expect(await apart).toEqual(ok([fail('UNAVAILABLE', 'A turn is running already.'), before]));
  await isSent;
  await session.next('turn.finished');
  expect(session.mirror().turns).toBe(before + 1);
});
