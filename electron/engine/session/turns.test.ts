import { describe, expect, test } from 'vitest';
import { callsOf } from '../../../shared/model/reduce.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { followSession, type ScriptReply, type TestSession, testBench } from '../testing/engineForTest.ts';

const read = (filePath: string, offset = 0) => ({ tool: 'read_file', input: { filePath, offset } });
const edit = (filePath: string) => ({ tool: 'edit_file', input: { filePath, oldStr: 'old', newStr: 'new' } });
const findings = { tool: 'report_findings', input: { key_findings: ['f'], relevant_files: ['a.txt'] } };
const plan = (...files: readonly string[]) => ({
  tool: 'report_plan',
  input: { steps: files.map((file) => ({ intent: `change ${file}`, target_files: [file] })) },
});
const done = { tool: 'report_done', input: { summary: 'It is changed.' } };
const files = { 'a.txt': 'old a', 'b.txt': 'old b' };

const results = (session: TestSession): readonly string[] =>
  callsOf(session.mirror()).map(
    ({ tool, result }) => `${tool} ${result?.success ? 'ok' : (result?.error.code ?? 'open')}`,
  );
const moves = (session: TestSession): readonly string[] =>
  [...itemsOf(session.mirror().items)].flatMap((item) => (item.kind === 'phase' ? [`${item.from} ${item.to}`] : []));
const hints = (session: TestSession): readonly string[] =>
  [...itemsOf(session.mirror().items)].flatMap((item) => (item.kind === 'system' ? [item.text] : []));

describe('a task in phases', () => {
  const whole: readonly ScriptReply[] = [
    { calls: [read('a.txt'), read('b.txt')] },
    { calls: [findings] },
    { calls: [plan('a.txt', 'b.txt')] },
    { calls: [edit('a.txt')] },
    { calls: [edit('b.txt')] },
    { calls: [done] },
    { text: 'Both are new.' },
  ];

  test('goes through them to its answer, and the next message is a new task', async () => {
    const bench = testBench(files, { allow: 'dangerous' });
    const session = await bench.session([...whole, { text: 'Four.' }], 'phased');
    expect(await session.say('Change both.')).toMatchObject({ outcome: 'done', text: 'Both are new.' });
    expect(moves(session)).toEqual([
      'IDLE EXPLORING',
      'EXPLORING PLANNING',
      'PLANNING PATCHING',
      'PATCHING VERIFYING',
      'VERIFYING DONE',
    ]);
    expect({ ...session.mirror().facts, iterations: 0 }).toMatchObject({
      filesRead: ['a.txt', 'b.txt'],
      filesModified: ['a.txt', 'b.txt'],
      findings: ['f'],
    });
    expect(bench.file('b.txt')).toBe('new b');
    expect(await session.say('What is 2+2?')).toMatchObject({ outcome: 'answered', text: 'Four.' });
    expect(moves(session).slice(5)).toEqual(['DONE EXPLORING']);
    expect(session.mirror().facts).toMatchObject({ findings: [], steps: [], iterations: 1 });
  });

  test('an answer in words does not use up the next task', async () => {
    const words = Array.from({ length: 30 }, () => ({ text: 'Just words.' }));
    const session = await testBench(files).session(words, 'phased');
    for (let i = 0; i < 8; i += 1) expect((await session.say('And now?')).outcome).toBe('answered');
    const replies = session.heard.filter(({ event }) => event.type === 'message' && event.role === 'assistant');
    expect(replies).toHaveLength(8);
  });

  test('the summary of the report is the answer when there are no closing words', async () => {
    const bench = testBench(files, { allow: 'dangerous' });
    const session = await bench.session([...whole.slice(0, 6), { calls: [read('a.txt')] }], 'phased');
    expect(await session.say('Change both.')).toMatchObject({ outcome: 'done', text: 'It is changed.' });
  });

  test('words instead of the report end the turn as unverified', async () => {
    const bench = testBench(files, { allow: 'dangerous' });
    const session = await bench.session([...whole.slice(0, 5), { text: 'I think so.' }], 'phased');
    expect(await session.say('Change both.')).toMatchObject({
      outcome: 'done',
      status: 'unverified',
      text: 'I think so.',
    });
    expect(session.mirror().facts.phase).toBe('VERIFYING');
  });

  test('a tool that the phase does not show is not run, and neither is the rest of the reply; each call is answered', async () => {
    const bench = testBench(files, { allow: 'dangerous' });
    const session = await bench.session([{ calls: [read('a.txt'), edit('a.txt'), read('b.txt')] }], 'phased');
    await session.say('Change it.');
    expect(results(session)).toEqual(['read_file ok', 'edit_file PHASE_FORBIDDEN', 'read_file CANCELLED']);
    expect(hints(session)).toEqual([
      'edit_file is not a tool of Exploring; what followed it in the reply was not run.',
    ]);
    expect(bench.file('a.txt')).toBe('old a');
  });

  test('what follows a report in the same reply is checked against the new phase', async () => {
    const bench = testBench(files, { allow: 'dangerous' });
    const session = await bench.session([{ calls: [findings] }, { calls: [plan('a.txt'), edit('a.txt')] }], 'phased');
    await session.say('Change it.');
    expect(results(session)).toEqual(['report_findings ok', 'report_plan ok', 'edit_file ok']);
    expect(session.mirror().facts.phase).toBe('VERIFYING');
  });

  test('a rejected write completes no step', async () => {
    const bench = testBench(files);
    const session = await bench.session(
      [{ calls: [findings] }, { calls: [plan('a.txt')] }, { calls: [edit('a.txt')] }],
      'phased',
    );
    await session.send('Change it.');
    const { call } = await session.next('permission.asked');
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'deny', reason: 'no' });
    await session.next('turn.finished');
    expect(session.mirror().facts.steps.map(({ state }) => state)).toEqual(['running']);
  });

  test('the iterations are limited, and the person may let the task go on', async () => {
    const reads = Array.from({ length: 21 }, (_, index) => ({ calls: [read('a.txt', index)] }));
    const bench = testBench(files, { allow: 'dangerous' });
    const session = await bench.session([...reads.slice(0, 20), ...whole], 'phased');
    expect(await session.say('Change both.')).toMatchObject({
      outcome: 'failed',
      text: 'Task failed: exceeded 20 iterations.',
      error: { code: 'LIMIT_EXCEEDED' },
    });
    expect(session.mirror().facts.phase).toBe('FAILED');
    await bench.client.call('session.continue', { session: session.id });
    expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Both are new.' });
    expect(moves(session).slice(1, 3)).toEqual(['EXPLORING FAILED', 'FAILED EXPLORING']);
  });

  test('the person moves the phase by hand', async () => {
    const bench = testBench(files, { allow: 'dangerous' });
    const session = await bench.session([{ calls: [edit('a.txt')] }], 'phased');
    await bench.client.call('session.movePhase', { session: session.id, phase: 'PATCHING' });
    await session.say('Change it.');
    expect(moves(session)).toEqual(['IDLE PATCHING', 'PATCHING VERIFYING']);
    expect(bench.file('a.txt')).toBe('new a');
  });
});

describe('a call that is made again', () => {
  test('is pointed out twice and ends the turn with a question the third time', async () => {
    const again = { calls: [read('a.txt')] };
    const session = await testBench(files).session([again, again, again, again, { text: 'never' }]);
    expect(await session.say('Loop.')).toMatchObject({ outcome: 'blocked', error: { code: 'LIMIT_EXCEEDED' } });
    expect(results(session)).toEqual([
      'read_file ok',
      'read_file LIMIT_EXCEEDED',
      'read_file LIMIT_EXCEEDED',
      'read_file LIMIT_EXCEEDED',
    ]);
  });

  test('after the file was written is no repetition', async () => {
    const replies = [
      { calls: [read('a.txt')] },
      { calls: [edit('a.txt')] },
      { calls: [read('a.txt')] },
      { text: 'ok' },
    ];
    const session = await testBench(files, { allow: 'dangerous' }).session(replies);
    await session.say('Look again.');
    expect(results(session)).toEqual(['read_file ok', 'edit_file ok', 'read_file ok']);
  });
});

describe('messages while a turn runs', () => {
  test('join the conversation at the next step', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ calls: [edit('a.txt')] }, { text: 'Understood.' }]);
    await session.send('Change it.');
    const { call } = await session.next('permission.asked');
    await session.send('And be quick.');
    expect(session.mirror().queue.map(({ text }) => text)).toEqual(['And be quick.']);
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    await session.next('turn.finished');
    expect(session.mirror().queue).toEqual([]);
    const kinds = [...itemsOf(session.mirror().items)].map((item) => ('text' in item ? item.text : item.kind));
    expect(kinds).toEqual(['Change it.', '', 'call', 'And be quick.', 'Understood.', 'end']);
  });

  test('can be taken back before they are read', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ calls: [edit('a.txt')] }, { text: 'Done.' }]);
    await session.send('Change it.');
    const { call } = await session.next('permission.asked');
    await session.send('Wait!');
    const { id } = await session.next('message.queued');
    await bench.client.call('session.unqueue', { session: session.id, id });
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    await session.next('turn.finished');
    expect([...itemsOf(session.mirror().items)].some((item) => item.kind === 'user' && item.text === 'Wait!')).toBe(
      false,
    );
  });

  test('are read in the order in which the person put them', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ calls: [edit('a.txt')] }, { text: 'Done.' }]);
    await session.send('Change it.');
    const { call } = await session.next('permission.asked');
    const ids: string[] = [];
    for (const text of ['First.', 'Second.', 'Third.']) {
      await session.send(text);
      ids.push((await session.next('message.queued')).id);
    }
    const [first, second, third] = ids as [string, string, string];
    await bench.client.call('session.moveQueued', { session: session.id, id: third, before: first });
    await bench.client.call('session.moveQueued', { session: session.id, id: first });
    // One that was read or taken back meanwhile moves nothing.
    await bench.client.call('session.moveQueued', { session: session.id, id: 'queued_gone', before: second });
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    await session.next('turn.finished');
    const heard = [...itemsOf(session.mirror().items)].flatMap((item) => (item.kind === 'user' ? [item.text] : []));
    expect(heard).toEqual(['Change it.', 'Third.', 'Second.', 'First.']);
  });

  test('stay queued after a stop; what is said after it starts a turn and takes them along', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ calls: [edit('a.txt')] }, { text: 'Done.' }]);
    await session.send('Change it.');
    await session.next('permission.asked');
    await session.send('Later.');
    const stopped = bench.client.call('session.stop', { session: session.id });
    const said = session.send('Now this.');
    await Promise.all([stopped, said]);
    expect((await session.next('turn.finished')).outcome).toBe('cancelled');
    expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Done.' });
    const heard = [...itemsOf(session.mirror().items)].flatMap((item) => (item.kind === 'user' ? [item.text] : []));
    expect(heard).toEqual(['Change it.', 'Now this.', 'Later.']);
  });

  test('an empty message is refused', async () => {
    const bench = testBench(files);
    const session = await bench.session([]);
    expect(await bench.client.call('session.send', { session: session.id, text: ' \n' })).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR' },
    });
  });
});

describe('a stop', () => {
  test('while the reply streams keeps what was read', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ text: 'x'.repeat(200_000) }]);
    await session.send('Talk.');
    await session.next('text.delta');
    await bench.client.call('session.stop', { session: session.id });
    expect((await session.next('turn.finished')).outcome).toBe('cancelled');
    const said = [...itemsOf(session.mirror().items)].find((item) => item.kind === 'assistant');
    expect(said?.kind === 'assistant' && said.text.length > 0 && said.text.length < 200_000).toBe(true);
  });

  test('while a question waits answers it as cancelled', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ calls: [edit('a.txt')] }]);
    await session.send('Change it.');
    await session.next('permission.asked');
    await bench.client.call('session.stop', { session: session.id });
    expect((await session.next('turn.finished')).outcome).toBe('cancelled');
    expect(results(session)).toEqual(['edit_file CANCELLED']);
    expect(session.waiting()).toEqual([]);
    expect(bench.file('a.txt')).toBe('old a');
  });

  test('while the model thinks ends at once', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ text: 'never', delayMs: 10_000_000 }]);
    await session.send('Think.');
    await session.next('turn.started');
    await bench.client.call('session.stop', { session: session.id });
    expect((await session.next('turn.finished')).outcome).toBe('cancelled');
  });
});

describe('a useless reply', () => {
  test('is pointed out twice, then the turn is given up', async () => {
    const session = await testBench(files).session([{ text: '' }, { text: ' ' }, { text: '' }, { text: 'never' }]);
    expect(await session.say('Hello?')).toMatchObject({ outcome: 'failed', error: { code: 'PROVIDER_BAD_RESPONSE' } });
    expect(hints(session)).toHaveLength(2);
  });
});

describe('after the engine went away in a turn', () => {
  test('the turn is marked, and a new message leaves nothing of it running', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ text: 'a', delayMs: 10_000_000 }, { text: 'Hello.' }]);
    await session.send('Think.');
    await session.next('turn.started');
    const again = await bench.restart();
    const after = await followSession(again.client, session.id);
    expect({ turn: after.mirror().turn, interrupted: after.mirror().interrupted !== null }).toEqual({
      turn: null,
      interrupted: true,
    });
    await bench.client.call('session.stop', { session: session.id });
    expect(await again.client.call('session.continue', { session: session.id })).toMatchObject({ ok: true });
    await again.client.call('session.stop', { session: session.id });
    await after.next('turn.finished');
    expect(after.mirror().liveCalls).toEqual({});
  });

  test('there is nothing to go on with after a turn that ended well', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ text: 'Hello.' }]);
    await session.say('Hi.');
    expect(await bench.client.call('session.continue', { session: session.id })).toMatchObject({
      ok: false,
      error: { code: 'UNAVAILABLE' },
    });
  });
});

describe('PROJECT.md', () => {
  const write = { tool: 'write_file', input: { filePath: 'PROJECT.md', content: '# It\n' } };

  test('is written through review, as a task of one step', async () => {
    const bench = testBench({ 'main.ts': 'export {};', '.env': 'TOKEN=geheim' });
    const session = await bench.session([{ calls: [write] }, { calls: [done] }, { text: 'Written.' }], 'phased');
    expect((await bench.client.call('session.init', { session: session.id })).ok).toBe(true);
    const { call } = await session.next('permission.asked');
    expect(session.mirror().facts).toMatchObject({ phase: 'PATCHING', steps: [{ targetFiles: ['PROJECT.md'] }] });
    expect(await bench.client.call('session.init', { session: session.id })).toMatchObject({
      ok: false,
      error: { code: 'UNAVAILABLE' },
    });
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Written.' });
    expect(bench.file('PROJECT.md')).toBe('# It\n');
    const [asked] = [...itemsOf(session.mirror().items)];
    const material = asked?.kind === 'user' && asked.attachments?.[0]?.kind === 'text' ? asked.attachments[0].text : '';
    expect(material).toContain('--- main.ts (10B) ---\nexport {};');
    expect(material).not.toContain('geheim');
  });

  test('is replaced only when that is said, and never in ask mode', async () => {
    const bench = testBench({ 'PROJECT.md': 'mine' }, { allow: 'dangerous' });
    const session = await bench.session([{ calls: [write] }, { text: 'Written.' }]);
    expect(await bench.client.call('session.init', { session: session.id })).toMatchObject({
      ok: false,
      error: { code: 'FILE_EXISTS' },
    });
    expect((await bench.client.call('session.init', { session: session.id, replace: true })).ok).toBe(true);
    await session.next('turn.finished');
    expect(bench.file('PROJECT.md')).toBe('# It\n');
    const asking = await bench.session([], 'ask');
    expect(await bench.client.call('session.init', { session: asking.id, replace: true })).toMatchObject({
      ok: false,
      error: { code: 'UNAVAILABLE' },
    });
  });
});

test('a report waits for what stands before it in the reply, so that no call ends in a phase that it was not made in', async () => {
  const bench = testBench(files, { allow: 'dangerous' });
  const session = await bench.session(
    [{ calls: [findings] }, { calls: [plan('a.txt')] }, { calls: [edit('a.txt')] }, { calls: [read('b.txt'), done] }],
    'phased',
  );
  await session.say('Change it.');
  const ends = session.heard.flatMap(({ event }) => (event.type === 'tool.finished' ? [event.tool] : []));
  expect(ends.slice(-2)).toEqual(['read_file', 'report_done']);
});
