import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InputOf } from '../../shared/contract/api.ts';
import type { Call } from '../../shared/model/call.ts';
import { callsOf } from '../../shared/model/reduce.ts';
import { followSession, type TestBench, type TestSession, testBench } from './testing/engineForTest.ts';

const edit = (filePath: string, oldStr: string, newStr: string) => ({
  tool: 'edit_file',
  input: { filePath, oldStr, newStr },
});
const lines = 'one\ntwo\nthree\nfour\nfive\n';

/** A session whose reply holds these edits, and all of them wait. */
async function waiting(
  calls: readonly { readonly tool: string; readonly input: unknown }[],
  files: Readonly<Record<string, string>> = { 'a.txt': lines, 'b.txt': lines },
) {
  const bench = testBench(files);
  const session = await bench.session([{ calls }, { text: 'Done.' }]);
  await session.send('go');
  for (const _ of calls) await session.next('permission.asked');
  return { bench, session };
}

type Answers = InputOf<'change.answer'>['answers'];
const answerAll = (
  { client }: TestBench,
  session: TestSession,
  answer: (call: Call, index: number) => Partial<Answers[number]>,
) =>
  client.call('change.answer', {
    session: session.id,
    answers: session.waiting().map((call, index) => ({ call: call.id, decision: 'once', ...answer(call, index) })),
  });
const results = (session: TestSession) => callsOf(session.mirror()).map(({ result }) => result);

describe('the edits of one reply', () => {
  test('wait together, those of one file on top of each other, and are written and taken back as one', async () => {
    const { bench, session } = await waiting([
      edit('a.txt', 'one', 'ONE'),
      edit('a.txt', 'ONE\ntwo', 'ONE\nTWO'),
      edit('b.txt', 'five', 'FIVE'),
    ]);
    expect(await answerAll(bench, session, () => ({}))).toEqual({ ok: true, value: {} });
    expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done' });
    expect([bench.file('a.txt'), bench.file('b.txt')]).toEqual([
      'ONE\nTWO\nthree\nfour\nfive\n',
      'one\ntwo\nthree\nfour\nFIVE\n',
    ]);
    const sets = session.mirror().changeSets;
    expect(sets.map(({ files, calls }) => [calls?.length, files.map(({ path, verdict }) => [path, verdict])])).toEqual([
      [
        3,
        [
          ['a.txt', 'applied'],
          ['b.txt', 'applied'],
        ],
      ],
    ]);
    expect(session.mirror()).toEqual(bench.engine.sessions.live(session.id)?.session.state);
    const changeSet = sets[0]?.id ?? '';
    expect(await bench.client.call('change.undo', { session: session.id, changeSet })).toMatchObject({ ok: true });
    expect([bench.file('a.txt'), bench.file('b.txt')]).toEqual([lines, lines]);
    expect(await bench.client.call('change.redo', { session: session.id, changeSet })).toMatchObject({ ok: true });
    expect(bench.file('a.txt')).toBe('ONE\nTWO\nthree\nfour\nfive\n');
  });

  test('are judged one by one: what the edit below loses leaves alone what does not build on it', async () => {
    const { bench, session } = await waiting([
      edit('a.txt', 'one\ntwo\nthree', 'ONE\ntwo\nTHREE'),
      edit('a.txt', 'five', 'FIVE'),
    ]);
    await answerAll(bench, session, (_, index) =>
      index === 0
        ? { verdicts: [{ path: 'a.txt', keep: [1], comments: [{ hunk: 0, text: 'not this one' }] }] }
        : { verdicts: [{ path: 'a.txt', keep: 'all' }] },
    );
    await session.next('turn.finished');
    expect(bench.file('a.txt')).toBe('one\ntwo\nTHREE\nfour\nFIVE\n');
    expect(results(session)).toMatchObject([
      {
        success: true,
        data: {
          review: {
            outcome: 'partial',
            files: [
              {
                path: 'a.txt',
                verdict: 'partial',
                rejectedHunks: [{ hunk: 0, line: 1, oldLines: 1, newLines: 1 }],
                comments: [{ hunk: 0, text: 'not this one' }],
              },
            ],
          },
        },
      },
      { success: true, data: { replacements: 1 } },
    ]);
    expect(results(session)[1]).not.toHaveProperty('data.review');
    expect(session.mirror().changeSets).toMatchObject([{ files: [{ path: 'a.txt', verdict: 'partial' }] }]);
  });

  test('tell the model when an edit is gone on which they build, and the rest is written', async () => {
    const { bench, session } = await waiting([
      edit('a.txt', 'one', 'ONE'),
      edit('a.txt', 'ONE', 'FIRST'),
      edit('b.txt', 'five', 'FIVE'),
    ]);
    await answerAll(bench, session, (_, index) => (index === 0 ? { decision: 'deny', reason: 'keep it' } : {}));
    await session.next('turn.finished');
    expect([bench.file('a.txt'), bench.file('b.txt')]).toEqual([lines, 'one\ntwo\nthree\nfour\nFIVE\n']);
    expect(results(session)).toMatchObject([
      {
        success: false,
        error: {
          code: 'PERMISSION_DENIED',
          message: 'The change was rejected, nothing was written. The person says: keep it',
        },
      },
      { success: false, error: { code: 'STALE' } },
      { success: true },
    ]);
  });

  test('stay when the edit below is rejected, though they name its lines; what was typed in them stays too', async () => {
    const { bench, session } = await waiting([
      edit('a.txt', 'one', 'ONE'),
      edit('a.txt', 'ONE\ntwo', 'ONE\nTWO'),
      edit('a.txt', 'five', 'FIVE'),
    ]);
    await answerAll(bench, session, (_, index) =>
      index === 0
        ? { verdicts: [{ path: 'a.txt', keep: 'none' }] }
        : index === 2
          ? { verdicts: [{ path: 'a.txt', keep: 'all', content: 'ONE\nTWO\nthree\nfour\nfive!\n' }] }
          : {},
    );
    await session.next('turn.finished');
    expect(bench.file('a.txt')).toBe('one\nTWO\nthree\nfour\nfive!\n');
    expect(results(session)).toMatchObject([
      { success: false, error: { code: 'PERMISSION_DENIED' } },
      { success: true, data: { diff: expect.stringContaining('-two\n+TWO') as string } },
      { success: true, data: { review: { outcome: 'edited' } } },
    ]);
  });

  test('take no text that was typed over lines of an edit below that is not written as shown', async () => {
    const { bench, session } = await waiting([edit('a.txt', 'one', 'ONE'), edit('a.txt', 'five', 'FIVE')]);
    await answerAll(bench, session, (_, index) =>
      index === 0
        ? { verdicts: [{ path: 'a.txt', keep: 'none' }] }
        : { verdicts: [{ path: 'a.txt', keep: 'all', content: 'ONE!\ntwo\nthree\nfour\nfive!\n' }] },
    );
    await session.next('turn.finished');
    expect(bench.file('a.txt')).toBe(lines);
    expect(results(session)[1]).toMatchObject({ success: false, error: { code: 'STALE' } });
  });

  test('are written hunk by hunk: one that builds on what is rejected is left out, and the model is told', async () => {
    const { bench, session } = await waiting([
      edit('a.txt', 'one', 'ONE'),
      { tool: 'write_file', input: { filePath: 'a.txt', content: 'FIRST\ntwo\nthree\nfour\nFIVE\n' } },
    ]);
    await answerAll(bench, session, (_, index) => (index === 0 ? { decision: 'deny' } : {}));
    await session.next('turn.finished');
    expect(bench.file('a.txt')).toBe('one\ntwo\nthree\nfour\nFIVE\n');
    expect(results(session)[1]).toMatchObject({
      success: true,
      data: {
        review: { outcome: 'partial', files: [{ rejectedHunks: [{ hunk: 0, line: 1 }], comments: [{ hunk: 0 }] }] },
      },
    });
  });

  test('are not answered at all when a file has moved on that would be written, and wait with all that was said', async () => {
    const { bench, session } = await waiting([edit('a.txt', 'one', 'ONE'), edit('b.txt', 'five', 'FIVE')]);
    writeFileSync(join(bench.project, 'b.txt'), 'typed by hand\n');
    expect(await answerAll(bench, session, () => ({}))).toMatchObject({
      ok: false,
      error: { code: 'STALE', details: { files: [{ path: 'b.txt', why: 'its content has changed' }] } },
    });
    expect(session.waiting()).toHaveLength(2);
    await answerAll(bench, session, (_, index) => (index === 0 ? {} : { verdicts: [{ path: 'b.txt', keep: 'none' }] }));
    await session.next('turn.finished');
    expect([bench.file('a.txt'), bench.file('b.txt')]).toEqual(['ONE\ntwo\nthree\nfour\nfive\n', 'typed by hand\n']);
  });

  test('may still be answered one after the other, in any order', async () => {
    const { bench, session } = await waiting([edit('a.txt', 'one', 'ONE'), edit('a.txt', 'ONE', 'FIRST')]);
    const [first, second] = session.waiting().map(({ id }) => id);
    const once = (call = '') => bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    await once(second);
    await session.next('permission.answered');
    expect(bench.file('a.txt')).toBe(lines);
    await once(first);
    await session.next('turn.finished');
    expect(bench.file('a.txt')).toBe('FIRST\ntwo\nthree\nfour\nfive\n');
    expect(session.mirror().changeSets.map(({ calls }) => calls)).toEqual([undefined, undefined]);
  });

  test('that leave out one between them are written each in its turn, and nothing hangs', async () => {
    const { bench, session } = await waiting([
      edit('a.txt', 'one', 'ONE'),
      edit('a.txt', 'two', 'TWO'),
      edit('a.txt', 'three', 'THREE'),
    ]);
    const [first = '', second = '', third = ''] = session.waiting().map(({ id }) => id);
    const answers: Answers = [
      { call: first, decision: 'once' },
      { call: third, decision: 'once' },
    ];
    await bench.client.call('change.answer', { session: session.id, answers });
    await session.next('change.applied');
    expect(bench.file('a.txt')).toBe('ONE\ntwo\nthree\nfour\nfive\n');
    await bench.client.call('permission.answer', { session: session.id, call: second, decision: 'deny' });
    await session.next('turn.finished');
    expect(bench.file('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nfive\n');
  });

  test('are not answered at all when one of them waits no longer', async () => {
    const { bench, session } = await waiting([edit('a.txt', 'one', 'ONE'), edit('b.txt', 'five', 'FIVE')]);
    const [first = '', second = ''] = session.waiting().map(({ id }) => id);
    const answers: Answers = [
      { call: first, decision: 'once' },
      { call: second, decision: 'once' },
    ];
    await bench.client.call('permission.answer', { session: session.id, call: first, decision: 'deny' });
    expect(await bench.client.call('change.answer', { session: session.id, answers })).toMatchObject({
      ok: false,
      error: { code: 'CONFLICT' },
    });
    expect(session.waiting().map(({ id }) => id)).toEqual([second]);
  });

  test('are fresh although they lie on top of each other, until the file itself moves', async () => {
    const { bench, session } = await waiting([edit('a.txt', 'one', 'ONE'), edit('a.txt', 'two', 'TWO')]);
    const fresh = async () =>
      Promise.all(
        session.waiting().map(({ id: call }) => bench.client.call('change.fresh', { session: session.id, call })),
      );
    expect(await fresh()).toEqual([
      { ok: true, value: { stale: [] } },
      { ok: true, value: { stale: [] } },
    ]);
    unlinkSync(join(bench.project, 'a.txt'));
    expect((await fresh())[0]).toEqual({ ok: true, value: { stale: [{ path: 'a.txt', why: 'it is gone' }] } });
  });

  describe('whose file moves on while they wait', () => {
    const rebase = ({ client }: TestBench, { id: session }: TestSession) => client.call('change.rebase', { session });
    const whole = { tool: 'write_file', input: { filePath: 'a.txt', content: 'one\ntwo\nthree\nFOUR\nfive\n' } };
    const moveOn = ({ project }: TestBench, text: string) => writeFileSync(join(project, 'a.txt'), text);

    test('are made on the file as it is, each on top of the one below, and keep what somebody else wrote', async () => {
      const { bench, session } = await waiting([whole, edit('a.txt', 'FOUR\nfive', 'FOUR\nFIVE')]);
      moveOn(bench, 'new\none\ntwo\nthree\nfour\nfive\n');
      expect(await rebase(bench, session)).toEqual({ ok: true, value: { files: ['a.txt'], conflicts: [] } });
      expect(session.waiting().map(({ intent }) => intent?.preview)).toMatchObject([
        { changes: [{ hunks: [{ oldStart: 5, newStart: 5 }] }] },
        { changes: [{ hunks: [{ oldStart: 6, newStart: 6 }] }] },
      ]);
      expect(await answerAll(bench, session, () => ({}))).toEqual({ ok: true, value: {} });
      await session.next('turn.finished');
      expect(bench.file('a.txt')).toBe('new\none\ntwo\nthree\nFOUR\nFIVE\n');
      expect(results(session)).toMatchObject([{ success: true }, { success: true }]);
    });

    test('stay as they were proposed where a hunk meets what was changed, and the file is named', async () => {
      const { bench, session } = await waiting([whole, edit('b.txt', 'five', 'FIVE')]);
      moveOn(bench, 'one\ntwo\nthree\n4\nfive\n');
      const before = session.waiting();
      expect(await rebase(bench, session)).toEqual({ ok: true, value: { files: [], conflicts: ['a.txt'] } });
      expect(session.waiting()).toEqual(before);
    });

    test('are after a restart what they were rebased to', async () => {
      const { bench, session } = await waiting([edit('a.txt', 'one\ntwo', 'one\nTWO')]);
      moveOn(bench, '1\ntwo\nthree\nfour\nfive\n');
      expect(await rebase(bench, session)).toMatchObject({ value: { files: ['a.txt'] } });
      const again = await bench.restart();
      const followed = await followSession(again.client, session.id);
      expect(await answerAll(again, followed, () => ({}))).toEqual({ ok: true, value: {} });
      await followed.next('turn.finished');
      expect(again.file('a.txt')).toBe('1\nTWO\nthree\nfour\nfive\n');
    });
  });

  test('wait on top of each other again after a restart', async () => {
    const { bench, session } = await waiting([edit('a.txt', 'one', 'ONE'), edit('a.txt', 'ONE', 'FIRST')]);
    const again = await bench.restart();
    const followed = await followSession(again.client, session.id);
    expect(followed.waiting()).toHaveLength(2);
    expect(await answerAll(again, followed, () => ({}))).toEqual({ ok: true, value: {} });
    await followed.next('turn.finished');
    expect(again.file('a.txt')).toBe('FIRST\ntwo\nthree\nfour\nfive\n');
    expect(followed.mirror().changeSets).toHaveLength(1);
  });

  test('that nobody has to be asked about build on each other as well', async () => {
    const bench = testBench({ 'a.txt': lines }, { allow: 'dangerous' });
    const session = await bench.session([
      { calls: [edit('a.txt', 'one', 'ONE'), edit('a.txt', 'ONE', 'FIRST'), edit('a.txt', 'FIRST', 'LAST')] },
      { text: 'Done.' },
    ]);
    await session.say('go');
    expect(bench.file('a.txt')).toBe('LAST\ntwo\nthree\nfour\nfive\n');
  });
});
