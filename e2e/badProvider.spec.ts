import { expectCalm } from './harness/expectCalm.ts';
import { endIn, eventsOf, factsIn } from './harness/facts.ts';
import { readTree } from './harness/folders.ts';
import { expect, test } from './harness/test.ts';
import { type ModelServer, type ServerReply, startModelServer } from './modelServer.ts';

const editing = { calls: [{ tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: 'new' } }] };

test.describe('N3 a provider that fails', () => {
  let server: ModelServer;
  test.beforeEach(async () => {
    server = await startModelServer();
  });
  test.afterEach(() => server.close());

  const html = '<!DOCTYPE html><html><body><h1>Sign in to the hotel network</h1></body></html>';
  const page: ServerReply = { status: 200, headers: { 'content-type': 'text/html' }, body: html };

  /** The task over real event streams. */
  const words = (project: string, ...more: readonly string[]): readonly string[] => [
    ...['exec', '--project', project, '--mode', 'direct', '--allow', 'dangerous', '--json', ...more],
  ];
  const env = (): NodeJS.ProcessEnv => ({ LLM_BASE_URL: server.url, LLM_MODEL: 'test', LLM_API_KEY: 'secret-key' });

  test('with a web page in place of a reply is told so with exit code 4, and the session goes on later', async ({
    makeProject,
    vise,
  }) => {
    const project = makeProject({ 'a.txt': 'old\n' });
    server.play(editing, { ...page, times: 10 });
    const failed = await vise(words(project, 'go'), { env: env() });
    expect(failed.code).toBe(4);
    const end = endIn(failed.stdout);
    expect(end).toMatchObject({
      outcome: 'failed',
      error: { code: expect.stringMatching(/^PROVIDER_/), message: expect.stringMatching(/web page|HTML/i) },
    });
    expect(failed.stdout).not.toContain('secret-key');
    expectCalm(failed);
    expect(readTree(project)).toEqual({ 'a.txt': 'new\n' });

    const better = await startModelServer({ replies: [{ text: 'Now it is done.' }] });
    try {
      const id = factsIn(failed.stdout)[0]?.session ?? '';
      const resumed = await vise(words(project, '--resume', id), { env: { ...env(), LLM_BASE_URL: better.url } });
      expect({ code: resumed.code, text: endIn(resumed.stdout).text }).toEqual({ code: 0, text: 'Now it is done.' });
      // What was done before the fault is in the conversation, once.
      const { messages } = (better.requests[0] ?? { body: {} }).body as { messages: readonly { role: string }[] };
      expect(messages.map(({ role }) => role).filter((role) => role === 'tool')).toEqual(['tool']);
    } finally {
      await better.close();
    }
  });

  test('with a stream that is cut once: the reply is asked for again, and no tool runs twice', async ({
    makeProject,
    vise,
  }) => {
    const project = makeProject({ 'a.txt': 'old\n' });
    server.play({ text: 'I am about to', ...editing, chunk: 3, fault: 'cut' }, editing, { text: 'Done.', chunk: 2 });
    const ended = await vise(words(project, 'go'), { env: env() });
    expect(ended.code).toBe(0);
    expect(eventsOf(factsIn(ended.stdout), 'tool.finished').map(({ tool, result }) => [tool, result.success])).toEqual([
      ['edit_file', true],
    ]);
    expect(eventsOf(factsIn(ended.stdout), 'text.restarted')).toHaveLength(1);
    expect(endIn(ended.stdout)).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect({ requests: server.requests.length, files: readTree(project) }).toEqual({
      requests: 3,
      files: { 'a.txt': 'new\n' },
    });
  });

  test('with streams that are always cut ends with 4 and a sentence', async ({ makeProject, vise }) => {
    const project = makeProject({ 'a.txt': 'old\n' });
    server.play({ ...editing, chunk: 3, fault: 'cut', times: 20 });
    const ended = await vise(words(project, 'go'), { env: env() });
    expect(ended.code).toBe(4);
    expect(endIn(ended.stdout)).toMatchObject({
      outcome: 'failed',
      error: { code: expect.stringMatching(/^PROVIDER_/) },
    });
    expect(readTree(project)).toEqual({ 'a.txt': 'old\n' });
    expectCalm(ended);
  });

  test('with 429 and Retry-After is waited for, the wait is told, and the same turn goes on', async ({
    makeProject,
    vise,
  }) => {
    const project = makeProject({ 'a.txt': 'old\n' });
    const busy = { status: 429, headers: { 'retry-after': '1' }, body: '{"error": {"message": "slow down"}}' };
    server.play(editing, busy, { text: 'Done.' });
    const ended = await vise(words(project, 'go'), { env: env() });
    expect(ended.code).toBe(0);
    const waits = eventsOf(factsIn(ended.stdout), 'notice').filter(({ until }) => until !== undefined);
    expect(waits.map(({ text }) => text)).toEqual([expect.stringContaining('slow down')]);
    expect(endIn(ended.stdout)).toMatchObject({ outcome: 'done', text: 'Done.' });
    // The very same request again: the edit before it is in the conversation once.
    const [, second, third, ...more] = server.requests.map(({ text }) => text);
    expect([third, more]).toEqual([second, []]);
  });

  test('that is not there is told with exit code 4', async ({ makeProject, vise }) => {
    const project = makeProject({});
    const gone = await startModelServer();
    await gone.close();
    const ended = await vise(words(project, 'go'), { env: { ...env(), LLM_BASE_URL: gone.url } });
    expect(ended.code).toBe(4);
    expect(ended.stdout + ended.stderr).toContain(new URL(gone.url).host);
    expectCalm(ended);
  });

  test('that refuses the key is told with exit code 4, and the key is not shown', async ({ makeProject, vise }) => {
    const project = makeProject({});
    server.play({ status: 401, body: '{"error": {"message": "Incorrect API key provided: secret-key"}}', times: 5 });
    const ended = await vise(words(project, 'go'), { env: env() });
    expect(ended.code).toBe(4);
    expect(endIn(ended.stdout)).toMatchObject({ error: { code: 'PROVIDER_AUTH' } });
    expect(server.requests).toHaveLength(1);
    expect(ended.stdout + ended.stderr).not.toContain('secret-key');
    expectCalm(ended);
  });
});
