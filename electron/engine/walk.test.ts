import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reduce } from '../../shared/model/reduce.ts';
import { emptySession } from '../../shared/model/sessionState.ts';
import { testBench } from './testing/engineForTest.ts';

const rename = {
  text: 'I rename it.',
  calls: [{ tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: 'new' } }],
};

describe('one message goes its way', () => {
  test('an approved edit reaches the file, and the mirror equals the engine', async () => {
    const bench = testBench({ 'a.txt': 'old text\r\nkept\r\n' });
    const session = await bench.session([rename, { text: 'Done.' }]);
    await session.send('rename it');
    const { call } = await session.next('permission.asked');
    expect(bench.file('a.txt')).toBe('old text\r\nkept\r\n');
    expect(await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' })).toEqual({
      ok: true,
      value: {},
    });
    expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect(bench.file('a.txt')).toBe('new text\r\nkept\r\n');
    expect(session.mirror()).toEqual(bench.engine.sessions.live(session.id)?.session.state);
  });

  test('the facts come in the order of the walk, numbered without gaps', async () => {
    const bench = testBench({ 'a.txt': 'old' });
    const session = await bench.session([rename, { text: 'Done.' }]);
    await session.send('rename it');
    const { call } = await session.next('permission.asked');
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    await session.next('turn.finished');
    const told = session.heard
      .map(({ event }) => event.type)
      .filter((type) => type !== 'text.delta' && type !== 'usage');
    expect(told).toEqual([
      'turn.started',
      'session.renamed',
      'message',
      'tool.proposed',
      'permission.asked',
      'permission.answered',
      'tool.started',
      'change.applied',
      'tool.finished',
      'message',
      'turn.finished',
    ]);
    const first = session.heard[0]?.seq ?? 0;
    expect(session.heard.map(({ seq }) => seq)).toEqual(session.heard.map((_, index) => first + index));
  });

  test('a denied edit leaves the file, and the model is told why', async () => {
    const bench = testBench({ 'a.txt': 'old' });
    const session = await bench.session([rename, { text: 'Then not.' }]);
    await session.send('rename it');
    const { call } = await session.next('permission.asked');
    await bench.client.call('permission.answer', {
      session: session.id,
      call,
      decision: 'deny',
      reason: 'keep the name',
    });
    await session.next('turn.finished');
    expect(bench.file('a.txt')).toBe('old');
    expect((await session.next('tool.finished')).result).toMatchObject({
      success: false,
      error: {
        code: 'PERMISSION_DENIED',
        message: 'The change was rejected, nothing was written. The person says: keep the name',
      },
    });
  });

  test('N4 a file changed while the card waited is not overwritten', async () => {
    const bench = testBench({ 'a.txt': 'old' });
    const session = await bench.session([rename, { text: 'Done.' }]);
    await session.send('rename it');
    const { call } = await session.next('permission.asked');
    writeFileSync(join(bench.project, 'a.txt'), 'typed by hand');
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    await session.next('turn.finished');
    expect(bench.file('a.txt')).toBe('typed by hand');
    expect((await session.next('tool.finished')).result).toMatchObject({ success: false, error: { code: 'STALE' } });
  });

  test('an applied change is taken back and brought again', async () => {
    const bench = testBench({ 'a.txt': 'old' });
    const session = await bench.session([rename, { text: 'Done.' }]);
    await session.send('rename it');
    const { call } = await session.next('permission.asked');
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    const { changeSet } = await session.next('change.applied');
    await session.next('turn.finished');
    expect(await bench.client.call('change.undo', { session: session.id, changeSet })).toEqual({
      ok: true,
      value: { files: ['a.txt'], skipped: [] },
    });
    expect(bench.file('a.txt')).toBe('old');
    await bench.client.call('change.redo', { session: session.id, changeSet });
    expect(bench.file('a.txt')).toBe('new');
  });

  test('the journal replayed through reduce gives the state of the engine', async () => {
    const bench = testBench({ 'a.txt': 'old' });
    const session = await bench.session([
      { text: 'Reading.', calls: [{ tool: 'read_file', input: { filePath: 'a.txt' } }] },
      { text: 'Read.' },
    ]);
    await session.say('read it');
    const read = bench.engine.sessions.read(session.id);
    expect(read.ok && read.value.reduce(reduce, emptySession)).toEqual(
      bench.engine.sessions.live(session.id)?.session.state,
    );
  });

  test('N1 an approval that waits is there after a restart, and the turn goes on', async () => {
    const bench = testBench({ 'a.txt': 'old' });
    const session = await bench.session([rename, { text: 'Done.' }]);
    await session.send('rename it');
    const { call } = await session.next('permission.asked');
    await bench.client.call('session.draft', { session: session.id, text: 'half a mess' });
    const again = await bench.restart();
    const watched = await again.client.call('session.watch', { session: session.id });
    expect(watched.ok && watched.value.draft).toBe('half a mess');
    const { followSession } = await import('./testing/engineForTest.ts');
    const after = await followSession(again.client, session.id);
    expect(after.waiting().map(({ id }) => id)).toEqual([call]);
    expect(await again.client.call('permission.answer', { session: session.id, call, decision: 'once' })).toEqual({
      ok: true,
      value: {},
    });
    expect(await after.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect(again.file('a.txt')).toBe('new');
  });
});
