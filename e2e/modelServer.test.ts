import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, type ServerReply, startModelServer, writesOf } from './modelServer.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

async function post(reply: ServerReply, body: object = { model: 'm' }) {
  server.play(reply);
  const answer = await fetch(`${server.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
  const text = await answer.text().catch((error: unknown) => `lost: ${String(error)}`);
  return { status: answer.status, type: answer.headers.get('content-type'), text };
}

describe('the model server', () => {
  test('streams a reply as events and says that it is done', async () => {
    const { status, type, text } = await post({ text: 'abc', chunk: 2 });
    const deltas = [...text.matchAll(/"content":"([^"]*)"/g)].map((found) => found[1]);
    expect([status, type, deltas, text.endsWith('data: [DONE]\n\n')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      ['', 'ab', 'c'],
      true,
    ]);
  });

  test('writes in pieces of the wanted size, the same bytes in all', () => {
    const whole = Buffer.concat(writesOf({ text: 'Grüße 🌍' }));
    const pieces = writesOf({ text: 'Grüße 🌍', bytes: 3 });
    expect([Buffer.concat(pieces).equals(whole), pieces.slice(0, -1).every((piece) => piece.length === 3)]).toEqual([
      true,
      true,
    ]);
  });

  test('plays recorded bytes as they are', async () => {
    expect((await post({ raw: 'data: x\r\n\r\n', bytes: 1 })).text).toBe('data: x\r\n\r\n');
  });

  test.each<[string, ServerReply, object]>([
    [
      'a status with headers',
      { status: 429, body: 'slow', headers: { 'retry-after': '1' } },
      { status: 429, text: 'slow' },
    ],
    [
      'a whole JSON body',
      { text: 'a', fault: 'json' },
      { type: 'application/json', text: expect.stringContaining('"content":"a"') },
    ],
    ['no end', { text: 'a', fault: 'noDone' }, { text: expect.not.stringContaining('[DONE]') }],
    ['no finish reason', { text: 'a', fault: 'noFinish' }, { text: expect.not.stringContaining('"stop"') }],
    ['a junk event', { text: 'a', fault: 'junk' }, { text: expect.stringContaining('{unparsable}') }],
    ['a cut', { text: 'a', fault: 'cut', cutAfter: 10 }, { text: expect.stringContaining('lost:') }],
  ])('plays %s', async (_, reply, expected) => {
    expect(await post(reply)).toMatchObject(expected);
  });

  test('refuses tools but not the request without them', async () => {
    const reply: ServerReply = { text: 'a', fault: 'refuseTools' };
    expect([(await post(reply, { tools: [] })).status, (await post(reply, {})).status]).toEqual([400, 200]);
  });

  test('records what it was asked', async () => {
    await post({ text: 'a', times: 2 }, { model: 'x' });
    await post({ text: 'b' }, { model: 'y' });
    expect(server.requests.map(({ method, path, body, aborted }) => ({ method, path, body, aborted }))).toEqual([
      { method: 'POST', path: '/v1/chat/completions', body: { model: 'x' }, aborted: false },
      { method: 'POST', path: '/v1/chat/completions', body: { model: 'y' }, aborted: false },
    ]);
  });

  test('runs as a program that prints its address first', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vise-model-server-'));
    const script = join(folder, 'replies.json');
    writeFileSync(script, JSON.stringify({ replies: [{ text: 'from a file', fault: 'json' }] }));
    const program = fileURLToPath(new URL('./modelServer.ts', import.meta.url));
    const child = spawn(process.execPath, [program, '--script', script, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    const url = first.toString().trim();
    const answer = await fetch(`${url}/chat/completions`, { method: 'POST', body: '{"model":"m"}' });
    const recorded = await (await fetch(`${url}/requests`)).json();
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    rmSync(folder, { recursive: true });
    expect([await answer.json(), recorded, code]).toMatchObject([
      { choices: [{ message: { content: 'from a file' } }] },
      [{ method: 'POST', body: { model: 'm' } }],
      0,
    ]);
  });

  test('refuses a script that it cannot read, in words', async () => {
    const program = fileURLToPath(new URL('./modelServer.ts', import.meta.url));
    const child = spawn(process.execPath, [program, '--script', '/nowhere/replies.json'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expect([code, said]).toEqual([2, expect.stringContaining('/nowhere/replies.json')]);
  });
});
