import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { configure } from './harness/configure.ts';
import { programEnvironment, startProgram } from './harness/program.ts';
import { expect, test } from './harness/test.ts';
import { type ModelServer, startModelServer } from './modelServer.ts';

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });
const letters = 'abcdefghijklmnopqrst'.split('');
const proposed = letters.map((letter) => (letter === 'b' || letter === 's' ? letter.toUpperCase() : letter));

test.describe('vise acp as a program', () => {
  let server: ModelServer;
  test.afterEach(() => server.close());

  /** The built program, with the package's own client at its pipes. */
  function start(home: string, project: string) {
    configure(home, {
      active_provider: 'local',
      providers: {
        local: { llm_provider: 'openai_compatible', llm_base_url: server.url, llm_model: 'm', llm_api_key: 'k' },
      },
    });
    const child = startProgram(['acp'], programEnvironment(home), project);
    const { stdin, stdout, stderr } = child;
    if (!stdin || !stdout || !stderr) throw new Error('no pipes');
    let told = '';
    stderr.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const stream = acp.ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
    return { stream, stdin, ended, told: () => told };
  }

  test('a phased turn: one hunk is left out with a reason, a command is rejected, and the model is told both', async ({
    home,
    makeProject,
  }) => {
    server = await startModelServer({
      replies: [
        call('report_findings', { key_findings: ['a list'], relevant_files: ['list.txt'], constraints: [] }),
        call('report_plan', { steps: [{ intent: 'Write capitals', target_files: ['list.txt'] }] }),
        call('write_file', { filePath: 'list.txt', content: `${proposed.join('\n')}\n` }),
        call('run', { command: 'touch made' }),
        call('report_done', { summary: 'Capitals where they were wanted.' }),
        { text: 'Capitals where they were wanted.' },
      ],
    });
    const project = makeProject({ 'list.txt': `${letters.join('\n')}\n` });
    const { stream, stdin, ended, told } = start(home, project);
    const updates: acp.SessionUpdate[] = [];
    const asked: acp.RequestPermissionRequest[] = [];
    const stopReason = await acp
      .client({ name: 'e2e' })
      .onNotification('session/update', ({ params }) => void updates.push(params.update))
      .onRequest('session/request_permission', ({ params }) => {
        asked.push(params);
        const optionId = params.toolCall.kind === 'edit' ? 'hunks' : 'reason';
        return { outcome: { outcome: 'selected', optionId } };
      })
      .onRequest('elicitation/create', ({ params }) => ({
        action: 'accept',
        content: params.message.startsWith('Which hunks')
          ? { keep_1: true, keep_2: false, reason: 'S stays small' }
          : { reason: 'Nothing is to be made' },
      }))
      .connectWith(stream, async (agent) => {
        await agent.request('initialize', {
          protocolVersion: acp.PROTOCOL_VERSION,
          clientCapabilities: { elicitation: { form: {} } },
        });
        const session = await agent.buildSession(project).start();
        expect(session.modes?.currentModeId).toBe('phased');
        const { stopReason: reason } = await session.prompt('Write capitals.');
        return reason;
      });
    stdin.end();
    expect({ code: await ended, told: told() }).toEqual({ code: 0, told: '' });
    expect(stopReason).toBe('end_turn');

    expect(asked.map(({ toolCall }) => toolCall.kind)).toEqual(['edit', 'execute']);
    expect(readFileSync(join(project, 'list.txt'), 'utf8')).toBe(`${letters.join('\n').replace('b', 'B')}\n`);
    const bodies = server.requests.map(({ text }) => text);
    const first = (words: string) => bodies.findIndex((body) => body.includes(words)) + 1;
    expect([first('S stays small'), first('Nothing is to be made')]).toEqual([4, 5]);
    const plans = updates.flatMap((update) => (update.sessionUpdate === 'plan' ? [update.entries] : []));
    expect(plans).toContainEqual([{ content: 'Write capitals', priority: 'medium', status: 'in_progress' }]);
  });

  test('lines that are no messages are answered or passed over, and the end of input is the end', async ({
    home,
    makeProject,
  }) => {
    server = await startModelServer();
    const { stdin, stream, ended } = start(home, makeProject({}));
    stdin.write('no JSON\n[]\n{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{}}\n');
    const known = await acp
      .client({ name: 'e2e' })
      .connectWith(stream, (agent) => agent.request('initialize', { protocolVersion: 99 }));
    expect(known.protocolVersion).toBe(acp.PROTOCOL_VERSION);
    stdin.end();
    expect(await ended).toBe(0);
  });
});
