import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { followSession, type TestBench, testBench } from '../testing/engineForTest.ts';
import { createSessions, type Sessions } from './sessions.ts';

const files = { 'a.txt': 'old' };
const folderOf = (home: string): string => join(home, 'state', 'sessions');
const ids = (list: readonly { readonly id: string }[]): readonly string[] => list.map(({ id }) => id).toSorted();

/** What another Vise on the same state knows of its sessions. */
function otherSessions({ home, ports }: TestBench): Sessions {
  return createSessions({
    version: ports.version,
    folder: folderOf(home),
    clock: ports.clock,
    publish: () => undefined,
    isWatched: () => false,
    listed: () => undefined,
    join: () => {
      throw new Error('it must not come this far');
    },
  });
}

describe('the list of sessions', () => {
  test('is made again from the journals, whatever became of the index', async () => {
    const bench = testBench(files);
    const one = await bench.session([{ text: 'First answer.' }]);
    await one.say('The first question');
    const two = await bench.session([{ text: 'Second answer.' }]);
    await two.say('The second question');
    const again = await bench.restart();
    const before = again.engine.sessions.list();
    expect(ids(before)).toEqual([one.id, two.id].toSorted());
    for (const damage of ['{"sessions":', '{"sessions":{"x":{"sizeBytes":1,"summary":{}}}}', '[]', '']) {
      writeFileSync(join(folderOf(bench.home), 'index.json'), damage);
      expect((await again.restart()).engine.sessions.list()).toEqual(before);
    }
    rmSync(join(folderOf(bench.home), 'index.json'));
    const fresh = await again.restart();
    expect(fresh.engine.sessions.list()).toEqual(before);
    expect(fresh.engine.sessions.rebuild()).toEqual({ sessions: 2, broken: 0 });
  });

  test('shows a damaged journal as damaged and leaves it; a torn line is no damage', async () => {
    const bench = testBench(files);
    const good = await bench.session([{ text: 'Hello.' }]);
    await good.say('Hi');
    const bad = await bench.session([{ text: 'Hello.' }]);
    await bad.say('Hi');
    const again = await bench.restart();
    const journal = (id: string): string => join(folderOf(bench.home), id, 'journal.jsonl');
    truncateSync(journal(good.id), readFileSync(journal(good.id)).length - 3);
    writeFileSync(journal(bad.id), readFileSync(journal(bad.id), 'utf8').replace('"event"', '"no event"'));
    const damaged = readFileSync(journal(bad.id), 'utf8');
    const list = again.engine.sessions.list();
    for (const { updatedAt } of list) expect(Date.parse(updatedAt)).toBeGreaterThan(0);
    expect(list.filter(({ broken }) => broken !== undefined).map(({ id }) => id)).toEqual([bad.id]);
    expect(await again.client.call('session.watch', { session: bad.id })).toMatchObject({
      ok: false,
      error: { code: 'CONFIG_INVALID' },
    });
    expect(readFileSync(journal(bad.id), 'utf8')).toBe(damaged);
    expect((await again.client.call('session.watch', { session: good.id })).ok).toBe(true);
  });

  test('one session cannot keep the list from the others, whatever stands in its journal; what can be read is offered as a copy', async () => {
    const bench = testBench(files);
    const good = await bench.session([{ text: 'Hello.' }]);
    await good.say('Hi');
    const bad = await bench.session([{ text: 'Hello.' }]);
    await bad.say('Hi');
    const again = await bench.restart(() => {
      const folder = folderOf(bench.home);
      const path = join(folder, bad.id, 'journal.jsonl');
      const lines = readFileSync(path, 'utf8').split('\n');
      writeFileSync(path, ['garbage', 'null', '[]', '{"event":{"type":"toString"}}', ...lines.slice(1)].join('\n'));
      // One that is larger than any text can be (sparse), a folder in the place of a journal, and a list that is none.
      mkdirSync(join(folder, 'huge'));
      writeFileSync(join(folder, 'huge', 'journal.jsonl'), '{"journal":1}\n');
      truncateSync(join(folder, 'huge', 'journal.jsonl'), 600 * 1024 * 1024);
      mkdirSync(join(folder, 'folder', 'journal.jsonl'), { recursive: true });
      writeFileSync(join(folder, 'index.json'), '{"sessions":{"x":{"sizeBytes":1,"summary":{"id":7}}}}');
    });
    const watched = await again.client.call('workbench.watch', {});
    if (!watched.ok) throw new Error(watched.error.message);
    const listed = Object.values(watched.value.state.sessions);
    expect(Object.fromEntries(listed.map(({ id, broken }) => [id, broken === undefined]))).toEqual({
      [good.id]: true,
      [bad.id]: false,
      huge: false,
      folder: false,
    });
    expect(watched.value.state.sessions[bad.id]?.project).toBe(bench.project);
    for (const id of ['huge', 'folder', bad.id])
      expect((await again.client.call('session.watch', { session: id })).ok).toBe(false);
    // A failed open leaves no lock behind.
    for (const id of ['huge', 'folder', bad.id])
      expect(readdirSync(join(folderOf(bench.home), id))).not.toContain('lock');
    const copied = await again.client.call('session.copyReadable', { session: bad.id });
    if (!copied.ok) throw new Error(copied.error.message);
    const copy = await followSession(again.client, copied.value.session);
    expect([...itemsOf(copy.mirror().items)].map(({ kind }) => kind)).toEqual(['user', 'assistant', 'end']);
  });

  test('opens a session although a line of its journal is damaged, and says once what is left out', async () => {
    const bench = testBench(files);
    const { id, say } = await bench.session([{ text: 'Hello.' }]);
    await say('Hi');
    const again = await bench.restart();
    const path = join(folderOf(bench.home), id, 'journal.jsonl');
    const lines = readFileSync(path, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"role":"assistant"'));
    writeFileSync(path, lines.with(at, lines[at]?.replace('"text":"Hello."', '"text":7') ?? '').join('\n'));
    const notices = async (opened: typeof again): Promise<readonly string[]> => {
      const watched = await opened.client.call('session.watch', { session: id });
      if (!watched.ok) throw new Error(watched.error.message);
      return [...itemsOf(watched.value.state.items)].flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
    };
    const told = [expect.stringMatching(new RegExp(`line ${at + 1} \\(event.text: .*expected string`))];
    expect(await notices(again)).toEqual(told);
    expect(await notices(await again.restart())).toEqual(told);
  });

  test('a place that takes no session is told with the remedy', async () => {
    const bench = testBench(files);
    rmSync(folderOf(bench.home), { recursive: true, force: true });
    mkdirSync(join(bench.home, 'state'), { recursive: true });
    writeFileSync(folderOf(bench.home), 'a file in its way');
    const { client, project } = bench;
    expect(await client.call('session.create', { project })).toMatchObject({
      ok: false,
      error: { code: 'FILE_WRITE_ERROR', message: expect.stringContaining('VISE_HOME') as unknown },
    });
  });

  test('an id leads nowhere else', async () => {
    const bench = testBench(files);
    for (const session of ['../x', 'a/b', '', 'none', 'x'.repeat(65)]) {
      const answers = await Promise.all([
        bench.client.call('session.watch', { session }),
        bench.client.call('session.delete', { session }),
        bench.client.call('session.export', { session, format: 'json' }),
      ]);
      for (const answer of answers) expect(answer.ok).toBe(false);
    }
  });

  test('a session that another Vise has open is not opened twice', async () => {
    const bench = testBench(files);
    const session = await bench.session([]);
    const other = otherSessions(bench);
    expect(await other.open(session.id)).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
    expect(await other.delete(session.id)).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
    expect(existsSync(join(folderOf(bench.home), session.id))).toBe(true);
  });
});

test('another Vise on the same state sees a new session, its new name and its end', async () => {
  const bench = testBench({});
  const other = otherSessions(bench);
  const seen = new Map<string, string>();
  const following = other.follow((id, summary) => {
    if (summary) seen.set(id, summary.title);
    else seen.delete(id);
  });
  const session = await bench.session([{ text: 'Hello.' }]);
  await expect.poll(() => [...seen.keys()]).toEqual([session.id]);
  await bench.client.call('session.rename', { session: session.id, title: 'Named' });
  await expect.poll(() => seen.get(session.id)).toBe('Named');
  expect(other.list()).toEqual(bench.engine.sessions.list());
  await bench.client.call('session.delete', { session: session.id });
  await expect.poll(() => seen.size).toBe(0);
  following.dispose();
  await other.close();
});

describe('a session', () => {
  test('is renamed, archived and deleted', async () => {
    const bench = testBench(files);
    const session = await bench.session([]);
    await bench.client.call('session.rename', { session: session.id, title: 'Named' });
    await bench.client.call('session.archive', { session: session.id, archived: true });
    expect(bench.engine.sessions.list()).toMatchObject([{ title: 'Named', archived: true }]);
    await bench.client.call('session.delete', { session: session.id });
    expect(bench.engine.sessions.list()).toEqual([]);
    expect(readdirSync(folderOf(bench.home)).filter((name) => name !== 'index.json')).toEqual([]);
  });

  test('is forked at a message: what came before it is there, the rest is not, the parent is as it was', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ text: 'One.' }, { text: 'Two.' }]);
    await session.say('first');
    const items = [...itemsOf(session.mirror().items)].length;
    await session.say('second');
    const parent = session.mirror();
    const forked = await bench.client.call('session.fork', { session: session.id, item: items });
    if (!forked.ok) throw new Error(forked.error.message);
    const fork = await followSession(bench.client, forked.value.session);
    const said = [...itemsOf(fork.mirror().items)].flatMap((item) => ('text' in item ? [item.text] : []));
    expect(said).toEqual(['first', 'One.']);
    expect(fork.mirror().turn).toBeNull();
    expect(session.mirror()).toEqual(parent);
    expect(await fork.say('another second')).toMatchObject({ outcome: 'done', text: 'Two.' });
  });

  test('P12 hands its copy nothing of what it alone was allowed', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ text: 'One.' }]);
    await session.say('first');
    await bench.client.call('session.configure', { session: session.id, allow: 'dangerous', appliesEdits: true });
    bench.engine.sessions.live(session.id)?.session.emit({ type: 'permission.granted', tools: ['run'], rules: [] });
    const forked = await bench.client.call('session.fork', { session: session.id, item: 2 });
    if (!forked.ok) throw new Error(forked.error.message);
    const fork = await followSession(bench.client, forked.value.session);
    expect(session.mirror()).toMatchObject({ allow: 'dangerous', appliesEdits: true });
    expect(fork.mirror()).toMatchObject({ appliesEdits: false, grants: { tools: [], rules: [] } });
    expect(fork.mirror().allow).not.toBe('dangerous');
  });

  test('is found by its words, and only in its project', async () => {
    const bench = testBench(files);
    const session = await bench.session([{ text: 'The Answer is 42.' }]);
    await session.say('What is it?');
    const find = async (query: string, project?: string) => {
      const found = await bench.client.call('session.search', { query, ...(project ? { project } : {}) });
      return found.ok ? found.value.hits.map(({ excerpt }) => excerpt) : [];
    };
    expect(await find('answer is')).toEqual(['The Answer is 42.']);
    expect(await find('what IS')).toEqual(['What is it?', 'What is it?']);
    expect(await find('nowhere')).toEqual([]);
    expect(await find('  ')).toEqual([]);
    expect(await find('answer', '/elsewhere')).toEqual([]);
  });

  test('is exported for people, with nothing in it that could end its fences, and as data', async () => {
    const bench = testBench({ 'a.md': '```js\nx\n```\n</details>' });
    const session = await bench.session([
      { text: 'I read.', calls: [{ tool: 'read_file', input: { filePath: 'a.md' } }] },
      { text: 'Read.' },
    ]);
    await session.say('Read <b>it</b>');
    const text = async (format: 'markdown' | 'json') => {
      const exported = await bench.client.call('session.export', { session: session.id, format });
      return exported.ok ? exported.value.text : '';
    };
    const markdown = await text('markdown');
    expect(markdown).toContain('## You\n\nRead <b>it</b>');
    expect(markdown).toContain('<details><summary>read_file: Read a.md</summary>\n\n````\n');
    expect(JSON.parse(await text('json'))).toMatchObject({ id: session.id, lastOutcome: 'done', turns: 1 });
  });
});

describe('a connection that sends nonsense', () => {
  test.each<[string, unknown]>([
    ['no object', 'hello'],
    ['an unknown kind', { kind: 'steal' }],
    ['an unknown method', { kind: 'call', id: 1, method: 'process.exit', input: {} }],
    ['a method of the prototype', { kind: 'call', id: 1, method: 'toString', input: {} }],
    ['bytes', new Uint8Array([1])],
  ])('%s: it is closed with the reason, and no other is harmed', async (_what, frame) => {
    const bench = testBench(files);
    const { inMemoryPair } = await import('../../../shared/contract/inMemoryPair.ts');
    const [near, far] = inMemoryPair();
    bench.engine.connect(far);
    const closed = new Promise<string>((resolve) => near.onClose(resolve));
    near.post(frame as object);
    expect(await closed).toMatch(/frame|method|bytes/);
    expect((await bench.session([])).id).not.toBe('');
  });

  test('an input that does not fit is refused by name, and the connection stays', async () => {
    const bench = testBench(files);
    const wrong = { session: 1 } as unknown as { session: string };
    expect(await bench.client.call('session.stop', wrong)).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('session') },
    });
    expect((await bench.session([])).id).not.toBe('');
  });
});
