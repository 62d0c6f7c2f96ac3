import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { questionsOf } from '../../shared/model/questions.ts';
import { callsOf } from '../../shared/model/reduce.ts';
import { followSession, type TestBench, testBench } from './testing/engineForTest.ts';
import { recordDone, writeRecord } from './workspace/applyRecord.ts';
import { deadOwner } from './workspace/testing/halfWritten.ts';
import { hashOf } from './workspace/textFile.ts';

const edit = (filePath: string, content: string) => ({ tool: 'write_file', input: { filePath, content } });

const folderOf = ({ home }: TestBench, id: string): string => join(home, 'state', 'sessions', id);

/** The journal as a kill right after the last fact of this type would have left it. */
function cutAfter(bench: TestBench, id: string, type: string): void {
  const path = join(folderOf(bench, id), 'journal.jsonl');
  const lines = readFileSync(path, 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.includes(`"type":"${type}"`));
  writeFileSync(path, `${lines.slice(0, last + 1).join('\n')}\n`);
}

test('an answer with hunks and edited text holds after a kill: it is written, and nobody is asked again', async () => {
  const text = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ''].join('\n');
  const bench = testBench({ 'a.txt': text, 'b.txt': 'b\n' });
  const proposed = text.replace('1', 'one').replace('9', 'nine');
  const session = await bench.session([
    { calls: [edit('a.txt', proposed), edit('b.txt', 'proposed\n')] },
    { text: 'Done.' },
  ]);
  await session.send('Edit.');
  while (session.waiting().length < 2) await session.next('permission.asked');
  const [a, b] = session.waiting().map(({ id }) => id);
  const answered = await bench.client.call('change.answer', {
    session: session.id,
    answers: [
      { call: a ?? '', decision: 'once', verdicts: [{ path: 'a.txt', keep: [1] }] },
      { call: b ?? '', decision: 'once', verdicts: [{ path: 'b.txt', keep: 'all', content: 'by hand\n' }] },
    ],
  });
  expect(answered.ok).toBe(true);
  await session.next('turn.finished');
  const wanted = [text.replace('9', 'nine'), 'by hand\n'];
  expect([bench.file('a.txt'), bench.file('b.txt')]).toEqual(wanted);

  const again = await bench.restart(async () => {
    cutAfter(bench, session.id, 'permission.answered');
    writeFileSync(join(bench.project, 'a.txt'), text);
    writeFileSync(join(bench.project, 'b.txt'), 'b\n');
  });
  const resumed = await followSession(again.client, session.id);
  expect((await again.client.call('session.continue', { session: session.id })).ok).toBe(true);
  await resumed.next('turn.finished');
  expect([again.file('a.txt'), again.file('b.txt')]).toEqual(wanted);
  expect(resumed.heard.filter(({ event }) => event.type.startsWith('permission.'))).toEqual([]);
  const { changeSets } = resumed.mirror();
  expect(changeSets.map(({ files }) => files.map(({ path, verdict }) => [path, verdict]))).toEqual([
    [
      ['a.txt', 'partial'],
      ['b.txt', 'edited'],
    ],
  ]);
});

test('the words that a question was answered with hold after a kill', async () => {
  const bench = testBench({});
  const session = await bench.session([
    { calls: [{ tool: 'ask_user', input: { question: 'Which colour?' } }] },
    { text: 'Blue.' },
  ]);
  await session.send('Paint.');
  const { call } = await session.next('permission.asked');
  await bench.client.call('permission.answer', { session: session.id, call, decision: 'once', answer: 'blue' });
  await session.next('turn.finished');
  const again = await bench.restart(async () => cutAfter(bench, session.id, 'permission.answered'));
  const resumed = await followSession(again.client, session.id);
  await again.client.call('session.continue', { session: session.id });
  await resumed.next('turn.finished');
  expect(callsOf(resumed.mirror()).map(({ state, result }) => [state, JSON.stringify(result)])).toEqual([
    ['finished', expect.stringContaining('blue')],
  ]);
});

test('several questions wait as one, also after a kill, and are answered as one message', async () => {
  const bench = testBench({});
  const more = [{ question: 'How large?', choices: ['small', 'large'], multiple: true }];
  const session = await bench.session([
    { calls: [{ tool: 'ask_user', input: { question: 'Which colour?', more } }] },
    { text: 'Blue and large.' },
  ]);
  await session.send('Paint.');
  const { call } = await session.next('permission.asked');
  const again = await bench.restart(async () => undefined);
  const resumed = await followSession(again.client, session.id);
  const [question, ...others] = questionsOf(resumed.mirror());
  expect([others, question?.map(({ intent }) => intent?.preview)]).toEqual([
    [],
    [
      {
        kind: 'question',
        question: 'Which colour?',
        more: [{ question: 'How large?', choices: ['small', 'large'], isOpen: true, isMultiple: true }],
      },
    ],
  ]);
  const answer = '1. Which colour?\nblue\n\n2. How large?\nlarge';
  await again.client.call('permission.answer', { session: session.id, call, decision: 'once', answer });
  await resumed.next('turn.finished');
  expect(callsOf(resumed.mirror()).map(({ result }) => result)).toMatchObject([{ success: true, data: { answer } }]);
});

test('an undo that a kill has cut off between the files and the journal is known as undone, and can be redone', async () => {
  const bench = testBench({ 'a.txt': 'old\n' });
  const session = await bench.session([{ calls: [edit('a.txt', 'new\n')] }, { text: 'Done.' }]);
  await session.send('Edit.');
  const { call } = await session.next('permission.asked');
  await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
  await session.next('turn.finished');
  const changeSet = session.mirror().changeSets[0]?.id ?? '';
  expect((await bench.client.call('change.undo', { session: session.id, changeSet })).ok).toBe(true);
  expect(bench.file('a.txt')).toBe('old\n');

  const records = join(bench.home, 'state', 'applies');
  const again = await bench.restart(async () => {
    cutAfter(bench, session.id, 'turn.finished');
    await writeRecord(records, {
      version: 2,
      id: 'cut',
      session: session.id,
      owner: deadOwner,
      folders: [],
      fact: { type: 'change.undone', changeSet, files: ['a.txt'] },
      files: [
        {
          path: 'a.txt',
          real: join(bench.project, 'a.txt'),
          before: hashOf(Buffer.from('new\n')),
          after: hashOf(Buffer.from('old\n')),
          temporary: '.vise-1.new',
          backup: '.vise-1.old',
        },
      ],
    });
    await recordDone(records, 'cut');
  });
  // Another command opens the project before the session is.
  await again.engine.project(bench.project);
  const resumed = await followSession(again.client, session.id);
  expect(resumed.mirror().changeSets[0]?.state).toBe('undone');
  expect(existsSync(join(folderOf(bench, session.id), 'recovered.jsonl'))).toBe(false);
  expect((await again.client.call('change.redo', { session: session.id, changeSet })).ok).toBe(true);
  expect(again.file('a.txt')).toBe('new\n');
});

test('a question waits while its project is missing at the start, and can be answered once it is back', async () => {
  const bench = testBench({ 'a.txt': 'old\n' });
  const session = await bench.session([{ calls: [edit('a.txt', 'new\n')] }, { text: 'Done.' }]);
  await session.send('Edit.');
  const { call } = await session.next('permission.asked');
  const away = `${bench.project}-away`;
  const again = await bench.restart(async () => renameSync(bench.project, away));
  const resumed = await followSession(again.client, session.id);
  expect(resumed.waiting().map(({ id }) => id)).toEqual([call]);
  const answer = (): ReturnType<typeof again.client.call<'permission.answer'>> =>
    again.client.call('permission.answer', { session: session.id, call, decision: 'once' });
  expect(await answer()).toMatchObject({ ok: false, error: { code: 'DIRECTORY_NOT_FOUND' } });
  expect(resumed.waiting().map(({ id }) => id)).toEqual([call]);
  renameSync(away, bench.project);
  expect((await answer()).ok).toBe(true);
  await resumed.next('turn.finished');
  expect(again.file('a.txt')).toBe('new\n');
});
