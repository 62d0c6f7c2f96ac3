import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import { allEvents, sampleRequest } from '../testing/modelEvents.ts';
import type { ModelEvent } from './base/port.ts';
import { readScript, type ScriptedReply } from './script.ts';
import { loadScript, ScriptedClient } from './scripted.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function script(...replies: readonly unknown[]): readonly ScriptedReply[] {
  const read = readScript(JSON.stringify({ replies }), 's.json');
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

const play = (client: ScriptedClient, signal = new AbortController().signal) =>
  allEvents(client.stream(sampleRequest, signal));
const withoutUsage = (events: readonly ModelEvent[]) => events.filter((event) => event.type !== 'usage');

describe('a script', () => {
  test('is read with its defaults', () => {
    expect(script({ text: 'a' }, { calls: [{ tool: 'f' }], note: 'ignored' })).toEqual([
      { text: 'a', reasoning: '', calls: [], delayMs: 0, chunk: 20 },
      { text: '', reasoning: '', calls: [{ tool: 'f', input: {} }], delayMs: 0, chunk: 20 },
    ]);
  });

  test.each([
    ['{"replies": [\n  {"text": }\n]}', 'line 2, column 12 is not valid JSON (unexpected })'],
    ['[]', 'replies is missing or no list'],
    ['{"replies": {}}', 'replies is missing or no list'],
    ['{"replies": ["x"]}', 'replies[0] must be an object'],
    ['{"replies": [{"text": "a"}, {"text": 1}]}', 'replies[1].text must be a text'],
    ['{"replies": [{"txt": "a"}]}', 'replies[0] has none of text, reasoning and calls'],
    ['{"replies": [{"calls": {}}]}', 'replies[0].calls must be a list'],
    ['{"replies": [{"calls": [{"name": "f"}]}]}', 'replies[0].calls[0].tool must name a tool'],
    ['{"replies": [{"calls": [{"tool": "f", "input": "x"}]}]}', 'replies[0].calls[0].input must be an object'],
    ['{"replies": [{"text": "a", "delayMs": -1}]}', 'replies[0].delayMs must be a number of milliseconds'],
    ['{"replies": [{"text": "a", "chunk": 0}]}', 'replies[0].chunk must be a whole number from 1'],
  ])('%s is refused with its place', (text, what) => {
    const read = readScript(text, 's.json');
    expect(read).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
    expect(read.ok ? '' : read.error.message).toContain(`Script s.json: ${what}`);
  });

  test('is loaded from a file, or the file is named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vise-script-'));
    folders.push(folder);
    const file = join(folder, 's.json');
    expect(await loadScript(file)).toMatchObject({ ok: false, error: { code: 'FILE_NOT_FOUND' } });
    writeFileSync(file, '\uFEFF{"replies":[{"text":"a"}]}');
    expect(await loadScript(file)).toMatchObject({ ok: true, value: [{ text: 'a' }] });
  });
});

describe('the scripted model', () => {
  test('plays one reply a request, then ends the turn', async () => {
    const replies = script(
      { reasoning: 'Hm.', text: 'I read.', calls: [{ tool: 'read_file', input: { path: 'a' } }] },
      { text: 'Done.' },
    );
    const client = new ScriptedClient(replies, new ManualClock());
    expect([
      withoutUsage(await play(client)),
      withoutUsage(await play(client)),
      withoutUsage(await play(client)),
    ]).toEqual([
      [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'I read.' },
        { type: 'call', id: 'script_1_1', name: 'read_file', argumentsText: '{"path":"a"}' },
        { type: 'finish', reason: 'calls' },
      ],
      [
        { type: 'text', text: 'Done.' },
        { type: 'finish', reason: 'stop' },
      ],
      [{ type: 'finish', reason: 'stop', raw: 'end_of_script' }],
    ]);
  });

  test('goes on after the replies that a resumed session has used', async () => {
    const client = new ScriptedClient(script({ text: 'one' }, { text: 'two' }), new ManualClock(), 1);
    expect([withoutUsage(await play(client))[0], client.used]).toEqual([{ type: 'text', text: 'two' }, 2]);
  });

  test('cuts text into chunks, never inside a character', async () => {
    const client = new ScriptedClient(script({ text: 'ab🌍cd', chunk: 3 }), new ManualClock());
    const found: string[] = [];
    for await (const event of client.stream(sampleRequest, new AbortController().signal))
      if (event.type === 'text') found.push(event.text);
    expect(found).toEqual(['ab🌍', 'cd']);
  });

  test('keeps the reply of a request that was cancelled before it was sent', async () => {
    const client = new ScriptedClient(script({ text: 'one' }), new ManualClock());
    expect([(await play(client, AbortSignal.abort()))[0]?.type, client.used]).toEqual(['failed', 0]);
  });

  test('waits before a reply and can be cancelled meanwhile', async () => {
    const clock = new ManualClock();
    const client = new ScriptedClient(script({ text: 'a', delayMs: 5_000 }), clock);
    const abort = new AbortController();
    const events = play(client, abort.signal);
    await clock.timerSet();
    abort.abort();
    expect([await events, clock.waiting]).toEqual([
      [{ type: 'failed', error: { code: 'CANCELLED', message: 'The request was cancelled.' } }],
      0,
    ]);
  });
});
