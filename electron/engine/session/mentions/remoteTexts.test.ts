import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { askServer } from '../../testing/serverBench.ts';

// Each test starts an MCP server, on a machine that may have other work.
vi.setConfig({ testTimeout: 30_000 });

const program = join(import.meta.dirname, '..', '..', 'bridge', 'mcp', 'testing', 'remoteServer.ts');
const servers = { mcpServers: { remote: { command: process.execPath, args: [program] } } };
const files = { '.mcp.json': JSON.stringify(servers), 'a.txt': 'secret words' };
const ports = { trustWorkspace: true, allow: 'dangerous' as const };
type Bench = Awaited<ReturnType<typeof askServer>>;
const last = ({ asked }: Bench, count: number) => String(asked(count).messages.at(-1)?.content);

test('a prompt of a server is a slash command; J3: its words are data and mention no file', async () => {
  const all = await askServer([{ text: 'a' }, { text: 'b' }], { files, ports });
  const { client, project } = all.bench;
  expect(await client.call('prompt.list', { project })).toEqual({
    ok: true,
    value: {
      prompts: [
        {
          kind: 'command',
          name: 'mcp__remote__review',
          about: 'Review something',
          hint: '<what> [how]',
          origin: 'project',
        },
      ],
    },
  });
  await all.session.say('/mcp__remote__review src/b.ts with great care');
  expect(last(all, 1)).toContain('the prompt /mcp__remote__review of an MCP server, which the person asks for');
  expect(last(all, 1)).toContain('Look at src/b.ts with great care. @a.txt');
  expect(last(all, 1)).not.toContain('secret words');
  await all.session.say('/mcp__remote__review how=slowly what="two words"');
  expect(last(all, 2)).toContain('Look at two words slowly.');
  const without = await client.call('session.send', { session: all.session.id, text: '/mcp__remote__review' });
  expect(without).toMatchObject({ ok: false, error: { message: 'The prompt review needs what.' } });
});

test('a resource of a server is a mention, completed by name; one that comes later is offered when the server tells', async () => {
  const publish = { calls: [{ tool: 'mcp_remote_publish', input: {} }] };
  const all = await askServer([{ text: 'a' }, publish, { text: 'b' }], { files, ports });
  const { client, project } = all.bench;
  await all.session.say('Read @remote:docs://handbook, please; not @a:b or @types/node.');
  expect(last(all, 1)).toContain('Page one.');
  expect(last(all, 1)).toContain('the resource remote:docs://handbook of an MCP server');
  const find = async (query: string) => client.call('mention.find', { project, query, limit: 5 });
  expect(await find('handb')).toMatchObject({
    value: { choices: [{ kind: 'resource', mention: 'remote:docs://handbook', label: 'Handbook' }] },
  });
  const none = await client.call('session.send', { session: all.session.id, text: 'Read @remote:docs://none' });
  expect(none).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  await all.session.say('Publish.');
  await vi.waitFor(async () => {
    expect(await find('news')).toMatchObject({ value: { choices: [{ mention: 'remote:docs://news' }] } });
  });
});

test('a prompt that a server adds later is a slash command when the server tells', async () => {
  const more = { calls: [{ tool: 'mcp_remote_promptMore', input: {} }] };
  const { bench, session } = await askServer([{ text: 'a' }, more, { text: 'b' }], { files, ports });
  const { client, project } = bench;
  const names = async (): Promise<readonly string[]> => {
    const listed = await client.call('prompt.list', { project });
    return listed.ok ? listed.value.prompts.map(({ name }) => name) : [];
  };
  await session.say('Begin.');
  expect(await names()).toEqual(['mcp__remote__review']);
  await session.say('Add a prompt.');
  await vi.waitFor(async () => expect(await names()).toEqual(['mcp__remote__review', 'mcp__remote__later']));
});

test('J1: nothing of a server is offered while nobody trusts the project that names it', async () => {
  const all = await askServer([{ text: 'a' }], { files });
  const { client, project } = all.bench;
  expect(await client.call('prompt.list', { project })).toEqual({ ok: true, value: { prompts: [] } });
  await all.session.say('/mcp__remote__review x, and @remote:docs://handbook');
  expect(last(all, 1)).toBe('/mcp__remote__review x, and @remote:docs://handbook');
});
