import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, type ServerReply, startModelServer } from '../../../e2e/modelServer.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { allEvents, sampleRequest } from '../testing/modelEvents.ts';
import { MattermostClient, type MattermostSettings } from './mattermost.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

async function ask(reply: ServerReply, changes: Partial<MattermostSettings> = {}) {
  server.play(reply);
  const settings: MattermostSettings = {
    baseUrl: `${server.url}/plugins/chat/`,
    modelKey: 'sendMessage',
    accessTeam: 'team a',
    authToken: 'token-1',
    userId: 'user-1',
    csrfToken: 'csrf-1',
    timeoutMs: 60_000,
    retries: 0,
    ...changes,
  };
  const client = new MattermostClient(settings, { clock: new ManualClock(1_234), env: {} });
  const events = await allEvents(client.stream(sampleRequest, new AbortController().signal));
  client.dispose();
  return events;
}

describe('the Mattermost provider', () => {
  test('sends the messages as a bare list to the address of the model, and reads reqMessage', async () => {
    expect(await ask({ body: '{"reqMessage":"Hello"}' })).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'finish', reason: 'stop' },
    ]);
    const [sent] = server.requests;
    expect([sent?.path, sent?.text]).toEqual([
      '/v1/plugins/chat/sendMessage?requestTime=1234&accessTeam=team+a',
      '[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]',
    ]);
    expect(sent?.headers).toMatchObject({
      'content-type': 'text/plain;charset=UTF-8',
      'x-csrf-token': 'csrf-1',
      'x-requested-with': 'XMLHttpRequest',
      cookie: 'MMAUTHTOKEN=token-1; MMUSERID=user-1; MMCSRF=csrf-1',
    });
  });

  test.each<[string, ServerReply, string]>([
    ['another shape', { body: '{"message":"x"}' }, 'Unexpected response (missing reqMessage): {"message":"x"}'],
    [
      'a web page',
      { body: '<html><title>Login</title>' },
      'Unexpected response (missing reqMessage): (a web page: Login)',
    ],
    ['an HTTP error', { status: 403, body: 'token-1 is not allowed' }, 'Provider HTTP 403: *** is not allowed'],
    ['a lost connection', { fault: 'reset' }, 'Provider connection failed: socket hang up'],
  ])('reports %s', async (_, reply, message) => {
    const told = expect.stringContaining(message) as string;
    expect(await ask(reply)).toMatchObject([{ type: 'failed', error: { message: told } }]);
  });

  test.each(['authToken', 'userId', 'csrfToken'] as const)('refuses a line break in %s', async (key) => {
    expect(await ask({ body: '{}' }, { [key]: 'a\r\nx: y' })).toMatchObject([
      { type: 'failed', error: { code: 'CONFIG_INVALID' } },
    ]);
    expect(server.requests).toEqual([]);
  });

  test('does not gather an answer without end', async () => {
    const message = 'The answer is longer than 16 MB.';
    expect(await ask({ body: 'x'.repeat(17 * 1024 * 1024) })).toMatchObject([{ type: 'failed', error: { message } }]);
  });

  test('sends nothing without a token', async () => {
    expect(await ask({ body: '{}' }, { authToken: '' })).toMatchObject([
      { type: 'failed', error: { code: 'PROVIDER_AUTH' } },
    ]);
  });
});
