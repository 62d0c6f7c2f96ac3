import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsOf } from '../../../shared/model/reduce.ts';
import { testEnvironment } from '../git/testing/testRepository.ts';
import { followSession, type TestBench, type TestSession } from '../testing/engineForTest.ts';
import { valueOf } from '../testing/laneBench.ts';
import { askServer } from '../testing/serverBench.ts';

const start = (title: string, more: object = {}) => ({
  tool: 'subagent',
  input: { title, task: `Do this: ${title}.`, ...more },
});
/** The session of the next subagent that begins, as the person would open it. */
async function nextChild({ engine, client }: TestBench): Promise<TestSession> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const watching = engine.hub.watchAll(({ event }) => {
    if (event.type === 'session.started' && event.subagentOf) resolve(event.id);
  });
  const id = await promise;
  watching.dispose();
  return followSession(client, id);
}

/** Begins a repository of one commit in a project, and gives its git. */
function repositoryIn(cwd: string): (...args: readonly string[]) => string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd, env: testEnvironment, encoding: 'utf8' });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message=first');
  return git;
}

const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };

test('two subagents work at once with contexts of their own, and their reports are the results', async () => {
  const { session, bench, server } = await askServer([
    { when: 'Look', calls: [start('count'), start('find')], usage },
    { when: 'count', calls: [{ tool: 'read_file', input: { filePath: 'a.txt' } }], usage },
    { when: 'find', text: 'It is in a.txt.', usage },
    { when: 'count', text: 'There is one.', usage },
    { when: 'Look', text: 'Done.', usage },
  ]);
  expect(await session.say('Look around.')).toMatchObject({ outcome: 'done', text: 'Done.' });
  const [one, two] = callsOf(session.mirror());
  expect([one?.result, two?.result]).toMatchObject([
    { success: true, data: { report: 'There is one.', steps: ['Read a.txt'], requests: 2 } },
    { success: true, data: { report: 'It is in a.txt.', steps: [], requests: 1 } },
  ]);
  const children = bench.engine.sessions.list().filter(({ subagentOf }) => subagentOf !== undefined);
  expect(children.map(({ title, mode, subagentOf }) => ({ title, mode, subagentOf }))).toEqual(
    expect.arrayContaining([
      { title: 'count', mode: 'ask', subagentOf: { session: session.id, call: one?.id } },
      { title: 'find', mode: 'ask', subagentOf: { session: session.id, call: two?.id } },
    ]),
  );
  // What they spent is the parent's too, and its own context is not theirs.
  expect(session.mirror().usage.requests).toBe(5);
  const ofChild = server.requests.map(({ text }) => text).filter((text) => text.includes('Do this: count.'));
  expect(ofChild.some((text) => text.includes('"name":"subagent"') && !text.includes('Look around.'))).toBe(false);
});

test('a subagent starts none, neither by the tool nor by a thread', async () => {
  const { session, bench } = await askServer([
    { when: 'Look', calls: [start('deep')] },
    { when: 'deep', calls: [start('deeper'), { tool: 'thread_start', input: { id: 'x', text: 'y' } }] },
    { when: 'deep', text: 'I cannot.' },
    { when: 'Look', text: 'Done.' },
  ]);
  const coming = nextChild(bench);
  await session.say('Look.');
  const child = await coming;
  expect(callsOf(child.mirror()).map(({ result }) => result)).toMatchObject([
    { success: false, error: { code: 'TOOL_NOT_FOUND' } },
    { success: false, error: { code: 'TOOL_NOT_FOUND' } },
  ]);
});

test('a subagent that only reads can write nothing, whatever is allowed', async () => {
  const write = { tool: 'write_file', input: { filePath: 'b.txt', content: 'new' } };
  const { session, bench } = await askServer([
    { when: 'Look', calls: [start('write')] },
    { when: 'write', calls: [write] },
    { when: 'write', text: 'I may not.' },
    { when: 'Look', text: 'Done.' },
  ]);
  await session.say('Look.');
  expect(existsSync(join(bench.project, 'b.txt'))).toBe(false);
  expect(callsOf(session.mirror())[0]?.result).toMatchObject({ success: true, data: { report: 'I may not.' } });
});

test('the question of a subagent waits for the person in its own session, and the answer goes on to the report', async () => {
  const { session, bench } = await askServer([
    { when: 'Look', calls: [start('ask')] },
    { when: 'ask', calls: [{ tool: 'ask_user', input: { question: 'Which one?' } }] },
    { when: 'ask', text: 'The blue one.' },
    { when: 'Look', text: 'Done.' },
  ]);
  const coming = nextChild(bench);
  await session.send('Look.');
  const child = await coming;
  const { call } = await child.next('permission.asked');
  const answer = { session: child.id, call, decision: 'once', answer: 'blue' } as const;
  valueOf(await bench.client.call('permission.answer', answer));
  expect(await session.next('tool.finished')).toMatchObject({ result: { data: { report: 'The blue one.' } } });
});

test('stopping the turn stops its subagents; stopping a subagent lets the turn go on and tells it', async () => {
  const { session, bench } = await askServer([
    { when: 'First', calls: [start('wait')] },
    { when: 'wait', fault: 'hang' },
    { when: 'First', calls: [start('hang')] },
    { when: 'hang', fault: 'hang' },
    { when: 'First', text: 'Done without it.' },
  ]);
  const first = nextChild(bench);
  await session.send('First.');
  const stopped = await first;
  await stopped.next('turn.started');
  valueOf(await bench.client.call('session.stop', { session: session.id }));
  expect(await stopped.next('turn.finished')).toMatchObject({ outcome: 'cancelled' });
  expect(await session.next('turn.finished')).toMatchObject({ outcome: 'cancelled' });
  expect(await session.next('tool.finished')).toMatchObject({ result: { error: { code: 'CANCELLED' } } });

  const second = nextChild(bench);
  await session.send('Again.');
  const child = await second;
  await child.next('turn.started');
  valueOf(await bench.client.call('session.stop', { session: child.id }));
  const message = 'The person stopped the subagent.';
  const error = { code: 'CANCELLED', message, details: { session: child.id, report: '' } };
  expect(await session.next('tool.finished')).toMatchObject({ result: { error } });
  expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Done without it.' });
});

const price = { input: 100, output: 1_000 };
const look = { tool: 'list_directory', input: {} };

test('a subagent ends at its own limits, and the turn goes on with what it had found', async () => {
  const { session } = await askServer(
    [
      { when: 'Look', calls: [start('long')] },
      { when: 'long', text: 'So far: nothing.', calls: [look] },
      { when: 'long', calls: [look] },
      { when: 'Look', text: 'Done.' },
    ],
    { settings: { subagents: { maxRequests: 2 } } },
  );
  expect(await session.say('Look.')).toMatchObject({ outcome: 'done' });
  const error = { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('Its last words: So far: nothing.') };
  expect(callsOf(session.mirror())[0]?.result).toMatchObject({ error });
});

test('a subagent that works too long is stopped', async () => {
  const { session } = await askServer(
    [
      { when: 'Look', calls: [start('slow')] },
      { when: 'slow', fault: 'hang' },
      { when: 'Look', text: 'Done.' },
    ],
    { settings: { subagents: { maxMinutes: 0.005 } } },
  );
  expect(await session.say('Look.')).toMatchObject({ outcome: 'done' });
  expect(callsOf(session.mirror())[0]?.result).toMatchObject({ error: { code: 'TIMEOUT' } });
});

test('what a subagent costs counts against the caps of the session and of the turn that started it', async () => {
  const { session } = await askServer(
    [
      { when: 'Look', calls: [start('dear')], usage },
      { when: 'dear', calls: [look], usage },
      { when: 'dear', text: 'This is not asked for.', usage },
    ],
    // Each request costs 0.20.
    { models: { m: { price } }, settings: { spend: { session: 0.3 } }, ports: { interactive: false } },
  );
  expect(await session.say('Look.')).toMatchObject({ outcome: 'blocked', error: { code: 'LIMIT_EXCEEDED' } });
  expect(session.mirror().usage).toMatchObject({ requests: 2, cost: 0.4 });
  expect(callsOf(session.mirror())[0]?.result).toMatchObject({ error: { code: 'LIMIT_EXCEEDED' } });

  const again = await askServer(
    [
      { when: 'Look', calls: [start('many')] },
      { when: 'many', calls: [look] },
      { when: 'many', calls: [look] },
    ],
    { settings: { agent: { maxRequests: 2 } }, ports: { interactive: false } },
  );
  expect(await again.session.say('Look.')).toMatchObject({ outcome: 'blocked', error: { code: 'LIMIT_EXCEEDED' } });
});

test('a subagent that edits works in a lane, whose changes the agent brings home; a lane without changes is closed', async () => {
  const write = { tool: 'write_file', input: { filePath: 'b.txt', content: 'new\n' } };
  const { session, bench } = await askServer(
    [
      { when: 'Look', calls: [start('write', { edits: true }), start('idle', { edits: true })] },
      { when: 'write', calls: [write] },
      { when: 'write', text: 'Written.' },
      { when: 'idle', text: 'Nothing to do.' },
      { when: 'Look', calls: [{ tool: 'bring_home', input: { picks: [{ lane: 'lane-1' }] } }] },
      { when: 'Look', text: 'Done.' },
    ],
    { ports: { allow: 'dangerous' } },
  );
  const git = repositoryIn(bench.project);
  await session.say('Look.');
  const [one, two] = callsOf(session.mirror());
  expect([one?.result, two?.result]).toMatchObject([
    { data: { report: 'Written.', lane: { files: 1, additions: 1, deletions: 0 } } },
    { data: { report: 'Nothing to do.' } },
  ]);
  expect(two?.result).not.toHaveProperty('data.lane');
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(2);
  expect(readFileSync(join(bench.project, 'b.txt'), 'utf8')).toBe('new\n');
});

test('after the end of the engine the call of a reading subagent goes on where it was, in the same session', async () => {
  const { session, bench, server } = await askServer([
    { when: 'Look', calls: [start('find')] },
    { when: 'find', calls: [look] },
    { when: 'find', fault: 'hang' },
    { when: 'find', text: 'Found after all.' },
    { when: 'Look', text: 'Done.' },
  ]);
  const coming = nextChild(bench);
  await session.send('Look.');
  const child = await coming;
  await child.next('tool.finished');
  await server.request(3);
  const next = await bench.restart();
  const again = await followSession(next.client, session.id);
  expect(again.mirror().interrupted).not.toBeNull();
  valueOf(await next.client.call('session.continue', { session: session.id }));
  expect(await again.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Done.' });
  const data = { session: child.id, report: 'Found after all.' };
  expect(callsOf(again.mirror())[0]?.result).toMatchObject({ success: true, data });
  expect(next.engine.sessions.list()).toHaveLength(2);
});

test('after the end of the engine the agent is told that an editing subagent was interrupted, and its lane is kept', async () => {
  const { session, bench } = await askServer([
    { when: 'Look', calls: [start('write', { edits: true })] },
    { when: 'write', fault: 'hang' },
    { when: 'Look', text: 'Done.' },
  ]);
  repositoryIn(bench.project);
  const coming = nextChild(bench);
  await session.send('Look.');
  const child = await coming;
  await child.next('turn.started');
  const next = await bench.restart();
  const again = await followSession(next.client, session.id);
  valueOf(await next.client.call('session.continue', { session: session.id }));
  expect(await again.next('turn.finished')).toMatchObject({ outcome: 'done' });
  expect(callsOf(again.mirror())[0]?.result).toMatchObject({ success: false, error: { code: 'CANCELLED' } });
  const { lanes } = valueOf(await next.client.call('lane.list', { project: next.project }));
  expect(lanes).toMatchObject([{ state: 'open', session: child.id }]);
});
