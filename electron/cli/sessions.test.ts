import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Envelope } from '../../shared/model/event.ts';
import { writeFiles } from '../engine/workspace/testing/testFolder.ts';
import { main } from './main.ts';
import { createTestIo } from './testing/testIo.ts';

/** Runs commands of `vise` in one home, in which one session has read a file. */
async function afterOneTask() {
  const folder = mkdtempSync(join(tmpdir(), 'vise-sessions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, 'project');
  writeFiles(project, { 'a.txt': 'old words\n' });
  const script = join(folder, 'script.json');
  const read = { tool: 'read_file', input: { filePath: 'a.txt' } };
  writeFileSync(script, JSON.stringify({ replies: [{ calls: [read] }, { text: 'It says old words.' }] }));
  const vise = async (...args: readonly string[]) => {
    const io = createTestIo(project, '', { VISE_HOME: join(folder, 'home') });
    const code = await main([...args], io);
    return { code, out: io.printed.out, err: io.printed.err };
  };
  const done = await vise(
    ...['exec', '--project', project, '--mode', 'direct', '--provider', 'scripted', '--script', script],
    ...['--json', 'What does it say?'],
  );
  const facts = linesOf<Envelope>(done.out);
  return { vise, folder, facts, id: facts[0]?.session ?? '' };
}

function linesOf<T>(text: string): readonly T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

test('a session is listed, shown, exported for people and as data', async () => {
  const { vise, id } = await afterOneTask();
  expect(
    linesOf<{ readonly id: string; readonly title: string }[]>((await vise('sessions', 'list', '--json')).out),
  ).toMatchObject([[{ id, title: 'What does it say?', turns: 1 }]]);
  expect((await vise('sessions', 'list')).out).toMatch(
    new RegExp(`^session +changed +state +title +project\\n${id}  \\S+ \\S+  idle   What does it say\\?  `),
  );
  const shown = await vise('sessions', 'show', id);
  const exported = await vise('sessions', 'export', id);
  expect(exported).toEqual(shown);
  for (const words of ['What does it say?', 'It says old words.', 'read_file']) expect(shown.out).toContain(words);
  const data = JSON.parse((await vise('sessions', 'export', id, '--json')).out) as object;
  expect(data).toMatchObject({ id, title: 'What does it say?' });
});

test('a replay tells the facts of the journal again, in their order, and asks no model', async () => {
  const { vise, facts, id, folder } = await afterOneTask();
  rmSync(join(folder, 'script.json')); // without it the scripted model could not answer
  const again = linesOf<Envelope>((await vise('sessions', 'replay', id, '--json')).out);
  const seqs = new Set(again.map(({ seq }) => seq));
  // What only streamed is not in the journal.
  const durable = facts.filter(({ seq }) => seqs.has(seq)).toSorted((a, b) => a.seq - b.seq);
  expect(again).toEqual(durable);
  expect(again.map(({ event }) => event.type)).toEqual(
    expect.arrayContaining(['session.started', 'turn.started', 'message', 'tool.finished', 'turn.finished']),
  );
});

test('a replay for people is the conversation as it went', async () => {
  const { vise, id } = await afterOneTask();
  const { code, out, err } = await vise('sessions', 'replay', id);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [head, ...lines] = out.trimEnd().split('\n');
  expect(head).toMatch(new RegExp(`^${id} in .*, direct, scripted/`));
  expect(lines).toEqual([
    'You:',
    'What does it say?',
    expect.stringMatching(/^· .*a\.txt/),
    'Agent:',
    'It says old words.',
  ]);
});

test('S5: a key that was set after a session was kept stands in nothing that is shown of it', async () => {
  const { vise, id, folder } = await afterOneTask();
  const key = 'What does it say?';
  const providers = { mine: { llm_provider: 'openai_compatible', llm_api_key: key, llm_base_url: 'http://x/v1' } };
  writeFiles(join(folder, 'home'), { 'config/config.json': JSON.stringify({ active_provider: 'mine', providers }) });
  for (const what of ['show', 'export', 'replay', 'list'])
    for (const flags of [[], ['--json']]) {
      const { out } = await vise('sessions', what, ...(what === 'list' ? [] : [id]), ...flags);
      expect([what, out.includes(key), out.includes('***')]).toEqual([what, false, true]);
    }
});

test('the list is made again from the journals', async () => {
  const { vise, id, folder } = await afterOneTask();
  rmSync(join(folder, 'home', 'state', 'sessions', 'index.json'));
  expect((await vise('sessions', 'reindex')).out).toBe('1 sessions, 0 of them damaged.\n');
  expect(linesOf((await vise('sessions', 'reindex', '--json')).out)).toEqual([{ sessions: 1, broken: 0 }]);
  expect((await vise('sessions', 'list')).out).toContain(id);
});

test.each([
  [['frob'], 'is none of list'],
  [['show'], 'name the session'],
  [['show', 'nowhere'], 'nowhere'],
  [['export', '../x'], 'is not a session id'],
])('vise sessions %j is refused', async (args, words) => {
  const { vise } = await afterOneTask();
  const { code, out, err } = await vise('sessions', ...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(words);
});

test('the beginning of an id names a session, and a session is deleted', async () => {
  const { vise, id } = await afterOneTask();
  expect((await vise('sessions', 'show', id.slice(0, -3))).out).toContain('It says old words.');
  expect((await vise('sessions', 'list')).out).toMatch(/\n\S+ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}/);
  expect(await vise('sessions', 'delete', id.slice(0, -3))).toEqual({ code: 0, out: `deleted: ${id}\n`, err: '' });
  expect((await vise('sessions', 'list')).out).toBe('There are no sessions yet.\n');
  expect(await vise('sessions', 'delete', id)).toMatchObject({ code: 2, err: expect.stringContaining('no session') });
});
