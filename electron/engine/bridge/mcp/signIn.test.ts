import { get } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { silentLog } from '../../testing/silentLog.ts';
import type { Hands } from '../../tools/frame/tool.ts';
import { createMcpClients, type McpClients } from './client.ts';
import { createServerTokens } from './serverTokens.ts';
import { type AuthBehaviour, type AuthServer, startAuthServer } from './testing/authServer.ts';
import { clientParts, memorySecrets } from './testing/clientParts.ts';

// Libraries are loaded and addresses of this computer asked, on a machine that may have other work.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Bench {
  readonly server: AuthServer;
  readonly clients: McpClients;
  readonly kept: Map<string, string>;
  readonly known: () => readonly string[];
}

async function bench(behaviour: AuthBehaviour = {}, headers: Record<string, string> = {}): Promise<Bench> {
  const server = await startAuthServer(behaviour);
  const kept = new Map<string, string>();
  const tokens = createServerTokens(memorySecrets(kept), silentLog);
  const clients = createMcpClients(clientParts({ clock: systemClock, tokens }));
  closing.push(clients.close, server.close);
  await clients.use([{ name: 'r', origin: 'user', connection: { kind: 'http', url: server.url, headers } }]);
  return { server, clients, kept, known: () => tokens.known() };
}

const stateOf = ({ clients }: Bench) => clients.servers[0]?.state;

function when(made: Bench, isThere: (state: ReturnType<typeof stateOf>) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isThere(stateOf(made))) return;
      listener.dispose();
      resolve();
    };
    const listener = made.clients.onChange(look);
    look();
  });
}

/** What the browser of the person does: it opens the page and follows it back. */
async function visit(page: string): Promise<Response> {
  const asked = await fetch(page, { redirect: 'manual' });
  return fetch(asked.headers.get('location') ?? '');
}

async function pageOf({ clients }: Bench): Promise<string> {
  const page = await clients.servers[0]?.link?.signIn();
  if (!page?.ok) throw new Error(page?.error.message ?? 'there is no server');
  return page.value;
}

async function signedIn(behaviour: AuthBehaviour = {}): Promise<Bench> {
  const made = await bench(behaviour);
  await visit(await pageOf(made));
  await when(made, (state) => state?.kind === 'ready');
  return made;
}

async function read({ clients }: Bench): Promise<unknown> {
  const tool = clients.tools.find(({ name }) => name === 'mcp_r_read');
  const hands = { signal: new AbortController().signal, output: () => undefined } as unknown as Hands; // it uses these only
  const prepared = await tool?.prepare({ text: 'x' }, hands.look);
  const ran = prepared?.ok ? await prepared.value.run(hands, { changes: [], files: [] }) : undefined;
  return ran?.ok === true ? 'read' : ran?.ok === false ? ran.error.message : 'not offered';
}

describe('an MCP server that wants the person to sign in', () => {
  test('is asked once and registered with only after the click, then offers its tools', async () => {
    const made = await bench();
    expect([stateOf(made), made.server.log]).toEqual([{ kind: 'signedOut' }, ['refused']]);
    const page = new URL(await pageOf(made));
    expect([page.searchParams.get('code_challenge_method'), page.searchParams.get('resource')]).toEqual([
      'S256',
      made.server.url,
    ]);
    expect(new URL(page.searchParams.get('redirect_uri') ?? '').hostname).toBe('127.0.0.1');
    const end = await visit(page.href);
    await when(made, (state) => state?.kind === 'ready');
    expect([end.status, made.server.log, await read(made)]).toEqual([
      200,
      ['refused', 'register', 'authorization_code'],
      'read',
    ]);
  });

  test('S5: its tokens stand in the store of keys alone, and are taken out of what is kept', async () => {
    const made = await signedIn();
    const [name, text = ''] = [...made.kept][0] ?? [];
    expect([made.kept.size, name]).toEqual([1, expect.stringMatching(/^mcp [0-9a-f]{32}$/)]);
    for (const token of made.server.given) {
      expect(text).toContain(token);
      expect(made.known()).toContain(token);
      expect(JSON.stringify(made.clients.servers.map(({ state, link }) => [state, link?.log.lines]))).not.toContain(
        token,
      );
    }
  });

  test('a token that has expired is renewed in the middle of a call, for calls at the same time once', async () => {
    const made = await signedIn();
    made.server.expire();
    expect(await Promise.all([read(made), read(made)])).toEqual(['read', 'read']);
    expect(made.server.log.filter((step) => step === 'refresh_token')).toHaveLength(1);
    expect(stateOf(made)?.kind).toBe('ready');
  });

  test('a token that is revoked in the middle asks to sign in anew, and is forgotten', async () => {
    const made = await signedIn();
    made.server.revoke();
    expect(await read(made)).toContain('wants the person to sign in');
    expect([stateOf(made)?.kind, made.clients.tools, made.kept.size]).toEqual(['signedOut', [], 0]);
    await visit(await pageOf(made));
    await when(made, (state) => state?.kind === 'ready');
    expect(await read(made)).toBe('read');
  });

  test('signing out forgets the tokens, and the server is used no more', async () => {
    const made = await bench();
    await visit(await pageOf(made));
    await when(made, (state) => state?.kind === 'ready');
    const tokens = createServerTokens(memorySecrets(made.kept), silentLog);
    expect(tokens.of(made.server.url)).toBeDefined();
    made.kept.clear();
    void made.clients.servers[0]?.link?.restart();
    await when(made, (state) => state?.kind === 'signedOut');
    expect([made.clients.tools, tokens.of(made.server.url)]).toEqual([[], undefined]);
  });

  test('a refusal of the person is told, and nothing is kept', async () => {
    const made = await bench({ page: 'deny' });
    await visit(await pageOf(made));
    await when(made, (state) => state?.kind === 'signedOut' && state.reason !== undefined);
    expect([stateOf(made), made.kept.size]).toEqual([
      { kind: 'signedOut', reason: 'Signing in was refused: access_denied' },
      0,
    ]);
  });

  test.each(['otherState', 'noState'] as const)(
    'an answer with %s is not taken, and the right one counts once',
    async (page) => {
      const made = await bench({ page });
      const address = await pageOf(made);
      expect([(await visit(address)).status, made.kept.size, stateOf(made)?.kind]).toEqual([400, 0, 'signedOut']);
      made.server.behaviour.page = 'allow';
      const asked = await fetch(address, { redirect: 'manual' });
      const back = asked.headers.get('location') ?? '';
      expect((await fetch(back)).status).toBe(200);
      await when(made, (state) => state?.kind === 'ready');
      await expect(fetch(back)).rejects.toThrow();
    },
  );

  test('the answer is taken by the name of this computer alone', async () => {
    const made = await bench();
    const asked = await fetch(await pageOf(made), { redirect: 'manual' });
    const back = asked.headers.get('location') ?? '';
    const status = await new Promise((resolve) =>
      get(back, { headers: { host: 'rebound.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }),
    );
    expect([status, made.kept.size]).toEqual([400, 0]);
  });

  test.each([
    ['names another resource', { resource: 'http://127.0.0.1:1/mcp' }, 'does not match'],
    ['has a page without https', { authorize: 'http://example.org/authorize' }, 'no https address'],
    ['has a page that is a program', { authorize: 'javascript:alert(1)' }, 'Signing in did not begin'],
  ])('one that %s is refused before the browser opens', async (_, behaviour, reason) => {
    const made = await bench(behaviour);
    const page = await made.clients.servers[0]?.link?.signIn();
    expect(page).toMatchObject({ ok: false, error: { message: expect.stringContaining(reason) } });
    expect([stateOf(made), made.kept.size]).toEqual([
      { kind: 'signedOut', reason: expect.stringContaining(reason) },
      0,
    ]);
  });

  test('one to which the person has written a key of their own is not signed in to', async () => {
    const made = await bench({}, { Authorization: 'Bearer mine' });
    expect([stateOf(made)?.kind, made.server.log.includes('register')]).toEqual(['waiting', false]);
  });

  test('a server that is none to sign in to says so', async () => {
    const made = await signedIn();
    expect(await made.clients.servers[0]?.link?.signIn()).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  });
});
