import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../e2e/modelServer.ts';
import { createRedact } from './base/redact.ts';
import { createSecrets } from './base/secrets.ts';
import type { EnginePorts } from './ports.ts';
import { type TestBench, testBench } from './testing/engineForTest.ts';
import { ManualClock } from './testing/manualClock.ts';
import { testFolder } from './workspace/testing/testFolder.ts';

const key = 'sk-test-0123456789abcdef"x';

/** An engine whose user has this key for a provider that is not the one in use. */
async function benchWithKey(
  files: Readonly<Record<string, string>>,
  ports: Partial<EnginePorts> = {},
  url = 'http://x/v1',
): Promise<TestBench> {
  const bench = testBench(files, ports);
  mkdirSync(bench.ports.places.config, { recursive: true });
  const providers = {
    mine: { llm_provider: 'openai_compatible', llm_api_key: key, llm_base_url: url, llm_model: 'm' },
  };
  writeFileSync(
    join(bench.ports.places.config, 'config.json'),
    JSON.stringify({ active_provider: 'mine', llm_debug: true, providers }),
  );
  return bench.restart();
}

const isIn = (text: string): boolean => text.includes(key) || text.includes(JSON.stringify(key).slice(1, -1));

describe('S5: a key of a provider', () => {
  test('S5 reaches neither journal, list nor export; who approves a command sees all of it', async () => {
    const bench = await benchWithKey({ '.env.local': `KEY=${key}\n` });
    const session = await bench.session([
      { calls: [{ tool: 'read_file', input: { filePath: '.env.local' } }] },
      { calls: [{ tool: 'run', input: { command: `echo '${key}'` } }] },
      { text: `It is ${key}.` },
    ]);
    await session.send('What is the key?');
    const { call } = await session.next('permission.asked');
    const [waiting] = session.waiting();
    expect(waiting?.intent?.preview).toMatchObject({ kind: 'command', command: `echo '${key}'` });
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'deny' });
    await session.next('turn.finished');
    for (const format of ['json', 'markdown'] as const) {
      const exported = await bench.client.call('session.export', { session: session.id, format });
      expect([exported.ok, isIn(JSON.stringify(exported))]).toEqual([true, false]);
    }
    const folder = join(bench.ports.places.state, 'sessions', session.id);
    const journal = readFileSync(join(folder, 'journal.jsonl'), 'utf8');
    expect([isIn(journal), journal.includes('***')]).toEqual([false, true]);
    const lists = readdirSync(join(folder, '..')).filter((name) => statSync(join(folder, '..', name)).isFile());
    for (const name of lists) expect(isIn(readFileSync(join(folder, '..', name), 'utf8'))).toBe(false);
  });

  test('S5 stands in no title, not even by half where a title is cut', async () => {
    const bench = await benchWithKey({});
    const session = await bench.session([{ text: 'Yes.' }]);
    await session.say(`Is the key that stands in the settings of mine ${key}?`);
    expect(session.mirror().title).toBe('Is the key that stands in the settings of mine ***?');
    await bench.client.call('session.rename', { session: session.id, title: `About ${key}` });
    const watched = await bench.client.call('workbench.watch', {});
    expect(watched.ok && watched.value.state.sessions[session.id]?.title).toBe('About ***');
    const again = await bench.restart();
    const list = readFileSync(join(again.ports.places.state, 'sessions', 'index.json'), 'utf8');
    expect([list.includes('About ***'), isIn(list)]).toEqual([true, false]);
  });

  test('S5 stands in no log of what the model was asked', async () => {
    const server = await startModelServer();
    onTestFinished(() => server.close());
    server.play({ text: `It is ${key}.` });
    const bench = await benchWithKey({}, { provider: {}, env: { PATH: process.env['PATH'] } }, server.url);
    const session = await bench.session([]);
    await session.say(`Keep ${key}.`);
    const log = readFileSync(join(bench.ports.places.state, 'logs', 'llm_debug.jsonl'), 'utf8');
    expect([isIn(log), log.includes('It is ***')]).toEqual([false, true]);
  });

  test('S5 reaches no command, under whatever name, whichever provider is in use', async () => {
    const bench = await benchWithKey(
      {},
      { interactive: false, allow: 'dangerous', env: { PATH: process.env['PATH'], HIDDEN: key, SHOWN: 'plain' } },
    );
    const result = await bench.engine.callTool(bench.project, 'run', { command: 'env' }, new AbortController().signal);
    const text = JSON.stringify(result);
    expect([text.includes('SHOWN=plain'), text.includes('HIDDEN'), isIn(text)]).toEqual([true, false, false]);
  });

  test.skipIf(process.platform === 'win32')('S5 lies in a file that only its owner may read', () => {
    const folder = testFolder();
    const secrets = createSecrets(folder);
    secrets.set('mine', key);
    expect([secrets.get('mine'), statSync(join(folder, 'keys.json')).mode & 0o777]).toEqual([key, 0o600]);
    secrets.delete('mine');
    expect([secrets.get('mine'), isIn(readFileSync(join(folder, 'keys.json'), 'utf8'))]).toEqual([undefined, false]);
  });

  test('S5 is known a second after it was given; place-holders of local servers take no word out of a text', () => {
    const clock = new ManualClock();
    const keys = ['ollama'];
    const redact = createRedact(() => keys, clock);
    expect(redact(`ollama ${key}`)).toBe(`ollama ${key}`);
    keys.push(key);
    clock.advance(1_000);
    expect(redact(`ollama ${key} ${JSON.stringify(key)}`)).toBe('ollama *** "***"');
  });
});
