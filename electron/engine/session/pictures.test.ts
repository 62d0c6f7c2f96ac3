import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { callsOf } from '../../../shared/model/reduce.ts';
import { picture } from '../bridge/mcp/testing/remoteServer.ts';
import { followSession } from '../testing/engineForTest.ts';
import { askServer } from '../testing/serverBench.ts';

// Each test starts an MCP server, on a machine that may have other work.
vi.setConfig({ testTimeout: 30_000 });

const program = join(import.meta.dirname, '..', 'bridge', 'mcp', 'testing', 'remoteServer.ts');
const servers = { mcpServers: { remote: { command: process.execPath, args: [program] } } };
const files = { '.mcp.json': JSON.stringify(servers), 'a.txt': 'old' };
const ports = { trustWorkspace: true, allow: 'dangerous' as const };
const url = `data:image/png;base64,${picture}`;

test('a picture of a message is kept once and goes with every request, also after a restart', async () => {
  const { session, asked, bench } = await askServer([{ text: 'A dot.' }, { text: 'Still a dot.' }]);
  const stored = await bench.client.call('image.store', {
    session: session.id,
    base64: picture,
    mediaType: 'image/png',
  });
  if (!stored.ok) throw new Error(stored.error.message);
  const attachments = [{ kind: 'image' as const, content: stored.value.id, mediaType: 'image/png' }];
  await bench.client.call('session.send', { session: session.id, text: 'What is it?', attachments });
  await session.next('turn.finished');
  expect(JSON.stringify(asked(1))).toContain(url);
  const again = await bench.restart();
  const after = await followSession(again.client, session.id);
  await after.say('Sure?');
  expect(JSON.stringify(asked(2))).toContain(url);
});

describe('a picture that a call brought', () => {
  const take = { calls: [{ tool: 'mcp_remote_picture', input: {} }] };

  test('stands in facts and state by its id; the model sees it, also after a restart and in a fork', async () => {
    const { session, asked, bench } = await askServer([take, { text: 'A dot.' }, { text: 'Yes.' }, { text: 'Fork.' }], {
      files,
      ports,
    });
    await session.say('Take one.');
    const [call] = callsOf(session.mirror());
    expect([call?.result, call?.brought]).toEqual([
      { success: true, data: { output: '[an image]' } },
      { pictures: [{ content: expect.stringMatching(/^[0-9a-f]{64}$/), mediaType: 'image/png' }] },
    ]);
    expect(JSON.stringify(asked(2))).toContain(url);
    const journal = readFileSync(join(bench.ports.places.state, 'sessions', session.id, 'journal.jsonl'), 'utf8');
    expect([journal, JSON.stringify(session.heard)].map((text) => text.includes(picture))).toEqual([false, false]);
    const again = await bench.restart();
    const after = await followSession(again.client, session.id);
    await after.say('Sure?');
    expect(JSON.stringify(asked(3))).toContain(url);
    const items = after.mirror().items.flat().length;
    const forked = await again.client.call('session.fork', { session: session.id, item: items });
    const fork = await followSession(again.client, forked.ok ? forked.value.session : '');
    await fork.say('And here?');
    expect(JSON.stringify(asked(4))).toContain(url);
  });

  test('is exported with the session, and the model is told when it is no longer kept', async () => {
    const { session, asked, bench } = await askServer([take, { text: 'A dot.' }, { text: 'Gone.' }], { files, ports });
    await session.say('Take one.');
    const text = async (format: 'json' | 'markdown') => {
      const exported = await bench.client.call('session.export', { session: session.id, format });
      return exported.ok ? exported.value.text : '';
    };
    const content = callsOf(session.mirror())[0]?.brought?.pictures?.[0]?.content ?? '';
    expect(JSON.parse(await text('json'))).toMatchObject({ pictures: { [content]: { data: picture } } });
    expect(await text('markdown')).toContain(`![Picture](${url})`);
    const again = await bench.restart();
    rmSync(join(again.ports.places.state, 'sessions', session.id, 'contents'), { recursive: true });
    await (await followSession(again.client, session.id)).say('Where is it?');
    expect(JSON.stringify(asked(3))).toContain('(A picture that was here is no longer kept.)');
  });
});
