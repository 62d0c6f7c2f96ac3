import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { emptySession, noFacts } from '../../../shared/model/sessionState.ts';
import { type ScriptReply, type TestSession, testBench } from '../testing/engineForTest.ts';
import { type ToolParts, toolsOf } from '../tools/all.ts';
import { createToolset } from '../tools/frame/toolset.ts';
import { createRequestBuilder } from './requestBuilder.ts';

const files = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' };
const edit = (filePath: string, oldStr: string, newStr: string) => ({
  tool: 'edit_file',
  input: { filePath, oldStr, newStr },
});
const run = (command: string) => ({ tool: 'run', input: { command } });
const findings = { tool: 'report_findings', input: { key_findings: ['f'], relevant_files: ['a.txt'] } };
const plan = (...steps: readonly (readonly string[])[]) => ({
  tool: 'report_plan',
  input: { steps: steps.map((target_files, index) => ({ intent: `do ${index + 1}`, target_files })) },
});
const done = { tool: 'report_done', input: { summary: 'It is changed.' } };
const planned = (...steps: readonly (readonly string[])[]): readonly ScriptReply[] => [
  { calls: [findings] },
  { calls: [plan(...steps)] },
];

const moves = (session: TestSession) =>
  session.heard.flatMap(({ event }) => (event.type === 'phase.changed' ? [`${event.from} ${event.to}`] : []));
const results = (session: TestSession) =>
  session.heard.flatMap(({ event }) =>
    event.type === 'tool.finished' ? [`${event.tool} ${event.result.success ? 'ok' : event.result.error.code}`] : [],
  );

async function phased(replies: readonly ScriptReply[], more: Readonly<Record<string, string>> = {}) {
  const bench = testBench({ ...files, ...more }, { allow: 'dangerous' });
  const session = await bench.session(replies, 'phased');
  return { bench, session, end: await session.say('Change it.') };
}

describe('the phased mode finishes the work', () => {
  test('three edits of one file in one reply are all applied, and the step ends with the reply', async () => {
    const { bench, session, end } = await phased([
      ...planned(['a.txt']),
      { calls: [edit('a.txt', 'one', 'ONE'), edit('a.txt', 'two', 'TWO'), edit('a.txt', 'three', 'THREE')] },
      { calls: [done] },
      { text: 'Done.' },
    ]);
    expect(bench.file('a.txt')).toBe('ONE\nTWO\nTHREE\n');
    expect(results(session).filter((line) => !line.endsWith('ok'))).toEqual([]);
    expect(end).toMatchObject({ outcome: 'done', text: 'Done.' });
  });

  test('a write elsewhere completes no step, and what is open is told', async () => {
    const { session, end } = await phased([
      ...planned(['a.txt']),
      { calls: [edit('b.txt', 'b', 'B')] },
      { text: 'All done.' },
      { text: 'All done.' },
    ]);
    expect(end).toMatchObject({ outcome: 'incomplete', text: 'All done.', open: ['Not done: do 1'] });
    expect(session.mirror().lastOutcome).toBe('incomplete');
  });

  test('a file that a command changed ends its step', async () => {
    const { bench, session, end } = await phased([
      ...planned(['a.txt'], ['c.txt']),
      { calls: [run('sed -i s/one/ONE/ a.txt'), run('echo c > c.txt')] },
      { calls: [done] },
      { text: 'Done.' },
    ]);
    expect([bench.file('a.txt'), bench.file('c.txt')]).toEqual(['ONE\ntwo\nthree\n', 'c\n']);
    expect(moves(session)).toContain('PATCHING VERIFYING');
    expect(end.outcome).toBe('done');
  });

  test('a step ends when the model says so', async () => {
    const { end } = await phased([
      ...planned(['a.txt']),
      { calls: [{ tool: 'report_step_done', input: {} }] },
      { calls: [done] },
      { text: 'It was done already.' },
    ]);
    expect(end).toMatchObject({ outcome: 'done', text: 'It was done already.' });
  });

  test('the edits and the report of done may stand in one reply', async () => {
    const { bench, session, end } = await phased([
      ...planned(['a.txt']),
      { calls: [edit('a.txt', 'one', 'ONE'), edit('a.txt', 'two', 'TWO'), done] },
      { text: 'Done.' },
    ]);
    expect(bench.file('a.txt')).toBe('ONE\nTWO\nthree\n');
    expect(results(session).slice(-1)).toEqual(['report_done ok']);
    expect(end.outcome).toBe('done');
  });

  test('an edit while verifying is applied and told as a way back', async () => {
    const { bench, session, end } = await phased([
      ...planned(['a.txt']),
      { calls: [edit('a.txt', 'one', 'ON')] },
      { calls: [edit('a.txt', 'ON', 'ONE')] },
      { calls: [done] },
      { text: 'Done.' },
    ]);
    expect(bench.file('a.txt')).toBe('ONE\ntwo\nthree\n');
    expect(moves(session).slice(3)).toEqual([
      'PATCHING VERIFYING',
      'VERIFYING PATCHING',
      'PATCHING VERIFYING',
      'VERIFYING DONE',
    ]);
    expect(end.outcome).toBe('done');
  });

  test('a skipped step is never told as done', async () => {
    const skip = { tool: 'report_blocked', input: { reason_type: 'other', detail: 'x', suggested_action: 'skip' } };
    const { end } = await phased([...planned(['a.txt']), { calls: [skip] }, { calls: [done] }, { text: 'Done.' }]);
    expect(end).toMatchObject({ outcome: 'incomplete', open: ['Not done: do 1'] });
  });
});

test('an edit that was refused in its phase is no repetition when it is due', async () => {
  const early = edit('a.txt', 'one', 'ONE');
  const { bench, end } = await phased([
    { calls: [early] },
    { calls: [findings] },
    { calls: [plan(['a.txt']), early] },
    { calls: [done] },
    { text: 'Done.' },
  ]);
  expect(bench.file('a.txt')).toBe('ONE\ntwo\nthree\n');
  expect(end.outcome).toBe('done');
});

describe('the outcome of a turn', () => {
  test('of a question is an answer after one request', async () => {
    const { session, end } = await phased([{ text: 'Hello.' }, { text: 'Hello again.' }]);
    expect(end).toMatchObject({ outcome: 'answered', text: 'Hello.' });
    expect(session.heard.filter(({ event }) => event.type === 'message' && event.role === 'assistant')).toHaveLength(1);
  });

  test('with a refused edit is incomplete, in every mode, until the file is written', async () => {
    const forbidden = await phased([{ calls: [edit('a.txt', 'one', 'ONE')] }, { text: 'Done.' }]);
    expect(forbidden.end).toMatchObject({ outcome: 'incomplete', open: ['Not written: a.txt (PHASE_FORBIDDEN)'] });
    const bench = testBench(files, { interactive: false });
    const session = await bench.session([{ calls: [edit('a.txt', 'one', 'ONE')] }, { text: 'Done.' }]);
    expect(await session.say('go')).toMatchObject({
      outcome: 'incomplete',
      open: ['Not written: a.txt (PERMISSION_REQUIRED)'],
    });
  });

  test('with an edit that failed and was made good is done', async () => {
    const bench = testBench(files, { allow: 'dangerous' });
    const session = await bench.session([
      { calls: [edit('a.txt', 'uno', 'ONE')] },
      { calls: [edit('a.txt', 'one', 'ONE')] },
      { text: 'Done.' },
      { calls: [edit('a.txt', 'uno', 'ONE')] },
      { text: 'Done.' },
    ]);
    expect(await session.say('go')).toMatchObject({ outcome: 'done' });
    expect(await session.say('again')).toMatchObject({
      outcome: 'incomplete',
      open: ['Not written: a.txt (STRING_NOT_FOUND)'],
    });
  });
});

describe('calls of one reply that depend on each other run in order', () => {
  test.each([
    ['a command and the file it makes', [run('echo new > c.txt'), { tool: 'read_file', input: { filePath: 'c.txt' } }]],
    ['a new repository and its state', [run('git init -q .'), { tool: 'git_status', input: {} }]],
  ])('%s', async (_, calls) => {
    const bench = testBench(files, { allow: 'dangerous' });
    const session = await bench.session([{ calls }, { text: 'Done.' }]);
    await session.say('go');
    expect(results(session).map((line) => line.split(' ')[1])).toEqual(['ok', 'ok']);
  });

  test('a new branch and the switch to it', async () => {
    const bench = testBench(files, { allow: 'dangerous' });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: bench.project,
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const branch = (action: string) => ({ tool: 'git_branch', input: { action, name: 'next' } });
    const session = await bench.session([{ calls: [branch('create'), branch('switch')] }, { text: 'Done.' }]);
    await session.say('go');
    expect(results(session)).toEqual(['git_branch ok', 'git_branch ok']);
    expect(git('branch', '--show-current').trim()).toBe('next');
  });
});

test('the tests can be run while verifying: their tool is described, wherever it stands in the list', async () => {
  const build = createRequestBuilder({
    history: () => [],
    rulesFiles: async () => [],
    described: () => new Set(),
    model: () => 'm',
    effort: () => undefined,
  });
  const toolset = createToolset(toolsOf({ tasks: {}, git: {}, cache: {}, browser: {}, permission: {} } as ToolParts));
  const toolsIn = async (phase: 'PATCHING' | 'VERIFYING') => {
    const { tools } = await build({ ...emptySession, mode: 'phased', facts: { ...noFacts, phase } }, toolset);
    return tools.map(({ name }) => name);
  };
  expect(await toolsIn('VERIFYING')).toContain('run_tests');
  expect(await toolsIn('VERIFYING')).toContain('edit_file');
});
