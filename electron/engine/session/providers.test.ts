import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServerReply } from '../../../e2e/modelServer.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { TestBench, TestSession } from '../testing/engineForTest.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { type Asked, askServer as ask } from '../testing/serverBench.ts';

const read = { tool: 'read_file', input: { filePath: 'a.txt' } };
const insert = { tool: 'insert_at', input: { filePath: 'a.txt', lineNumber: 1, content: 'new' } };
const results = (session: TestSession): readonly string[] =>
  callsOf(session.mirror()).map(({ tool, result }) => `${tool} ${result?.success ? 'ok' : result?.error.code}`);
const types = (session: TestSession): readonly string[] => session.heard.map(({ event }) => event.type);
/** Lets the announced wait pass. It begins a few steps after the announcement; nothing else is timed meanwhile. */
const passWait = async (clock: ManualClock, waitMs: number): Promise<void> => {
  for (let i = 0; i < 10; i += 1) await new Promise((go) => setImmediate(go));
  clock.advance(waitMs);
};
const proceed = (bench: TestBench, session: TestSession) =>
  bench.client.call('session.continue', { session: session.id });

describe('N3 a provider that fails in a turn', () => {
  test('429: a countdown is shown and the same turn goes on after it', async () => {
    const clock = new ManualClock();
    const { session } = await ask(
      [{ calls: [read] }, { status: 429, headers: { 'retry-after': '7' }, body: 'slow down' }, { text: 'Done.' }],
      { ports: { clock } },
    );
    await session.send('Read.');
    const notice = await session.next('notice');
    expect(notice).toMatchObject({ level: 'warning', code: 'retry' });
    expect(Date.parse(notice.until ?? '') - clock.now()).toBe(7_000);
    await passWait(clock, 7_000);
    expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect(results(session)).toEqual(['read_file ok']);
    expect(types(session).filter((type) => type === 'turn.started')).toHaveLength(1);
  });

  test('a stream cut in the middle: what was shown is taken back, and no tool runs twice', async () => {
    const clock = new ManualClock();
    const whole: ServerReply = { text: 'I insert a line here.', chunk: 3, calls: [insert] };
    const { session, bench } = await ask([{ ...whole, fault: 'cut', cutAfter: 900 }, whole, { text: 'Done.' }], {
      ports: { clock },
    });
    await session.send('Insert.');
    await session.next('text.restarted');
    await session.next('notice');
    await passWait(clock, 2_000);
    expect((await session.next('turn.finished')).outcome).toBe('done');
    expect(results(session)).toEqual(['insert_at ok']);
    expect(bench.file('a.txt')).toBe('new\nold');
    const texts = [...itemsOf(session.mirror().items)].flatMap((item) =>
      item.kind === 'assistant' ? [item.text] : [],
    );
    expect(texts).toEqual(['I insert a line here.', 'Done.']);
  });

  test('a page instead of a reply: the failure is clear, and the session goes on when asked to', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html><title>Login</title></html>' };
    const { session, bench, server } = await ask([{ calls: [insert] }, page], {
      provider: { llm_retries: 0 },
    });
    const end = await session.say('Insert.');
    expect(end.outcome).toBe('failed');
    expect(end.error?.code).toMatch(/^PROVIDER_/);
    expect(end.text).not.toBe('');
    expect(server.requests).toHaveLength(2);
    server.play({ text: 'Done.' });
    expect((await proceed(bench, session)).ok).toBe(true);
    expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect(results(session)).toEqual(['insert_at ok']);
    expect(bench.file('a.txt')).toBe('new\nold');
  });

  test('a stop closes the connection at once', async () => {
    const { session, bench, server } = await ask([{ text: 'x', fault: 'hang' }]);
    await session.send('Wait.');
    await server.request(1);
    await bench.client.call('session.stop', { session: session.id });
    expect((await session.next('turn.finished')).outcome).toBe('cancelled');
    await server.aborted(1);
  });

  test('what waits in the queue is not sent into the same wall', async () => {
    const { session, bench, server } = await ask([{ calls: [{ tool: 'ask_user', input: { question: 'Which?' } }] }], {
      provider: { llm_retries: 0 },
    });
    await session.send('Begin.');
    const { call } = await session.next('permission.asked');
    await session.send('Later.');
    server.play({ status: 401, body: 'no key' }, { text: 'never' });
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once', answer: 'this' });
    expect((await session.next('turn.finished')).outcome).toBe('failed');
    expect(server.requests).toHaveLength(2);
  });
});

describe('a server that takes no tools natively', () => {
  const text = { provider: { llm_tools: 'text' } };
  const call = (tool: string, input: unknown): string =>
    `<tool_call>${JSON.stringify({ type: 'tool_call', tool, arguments: input })}</tool_call>`;
  const system = (asked: Asked): string => String(asked.messages[0]?.content);
  const last = (asked: Asked): string => String(asked.messages.at(-1)?.content);

  test('is taught the tools of the text protocol, and gets results in its form', async () => {
    const { session, asked, bench } = await ask(
      [
        {
          text: call('list_files', {}) + call('read_file', { path: 'a.txt' }) + call('search_text', { keyword: 'l.' }),
        },
        { text: `Now I write.\n${call('write_file', { path: 'new/b.txt', content: 'b\n' })}` },
        { text: call('apply_diff', { path: 'a.txt', diff: '@@ -1 +1 @@\n-old\n+new' }) },
        { text: call('read_file', { path: 'none.txt' }) },
        { text: call('grep_search', { pattern: 'new' }) },
        { text: 'Done.' },
      ],
      { ...text, files: { 'a.txt': 'old\n', 'c.txt': ' cl. ' } },
    );
    expect(await session.say('Change it.')).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect(asked(1).tools).toBeUndefined();
    for (const name of ['list_files', 'read_file', 'search_text', 'write_file', 'apply_diff'])
      expect(system(asked(1))).toContain(`- ${name}: `);
    expect(system(asked(1))).toContain('"required":["path","diff"]');
    const told = (count: number): unknown[] =>
      asked(count)
        .messages.map(({ content }) => String(content))
        .filter((content) => content.startsWith('--- tool call result ---'))
        .map((content) => JSON.parse(content.slice(content.indexOf('\n'))) as unknown);
    expect(told(2)).toMatchObject([
      {
        tool: 'list_files',
        ok: true,
        error: null,
        next_hint: 'read_relevant_files_or_report_findings',
        result: { ok: true, items: ['.keep', 'a.txt', 'c.txt'], truncated: false },
      },
      { tool: 'read_file', result: { ok: true, path: 'a.txt', content: 'old\n', truncated: false } },
      {
        tool: 'search_text',
        result: { ok: true, results: [{ path: 'c.txt', line: 1, text: 'cl.' }], truncated: false },
      },
    ]);
    expect(told(3).at(-1)).toMatchObject({ tool: 'write_file', ok: true, result: { ok: true, path: 'new/b.txt' } });
    expect(told(4).at(-1)).toMatchObject({ tool: 'apply_diff', ok: true, result: { ok: true, path: 'a.txt' } });
    expect(told(5).at(-1)).toMatchObject({
      tool: 'read_file',
      ok: false,
      error: 'File does not exist: none.txt',
      next_hint: 'inspect_error_or_report_blocked',
    });
    expect(told(6).at(-1)).toMatchObject({ tool: 'grep_search', ok: true });
    expect(last(asked(3))).toContain('review_changes_and_continue');
    expect({ a: bench.file('a.txt'), b: bench.file('new/b.txt') }).toEqual({ a: 'new\n', b: 'b\n' });
  });

  test('is refused a diff of another file, a hunk that does not fit and a path outside, in the words of the text protocol', async () => {
    const two = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n';
    const { session } = await ask(
      [
        { text: call('apply_diff', { path: 'a.txt', diff: two }) },
        { text: call('apply_diff', { path: 'a.txt', diff: '@@ -1 +1 @@\n-other\n+new\n' }) },
        { text: call('write_file', { path: '../x', content: '' }) },
        { text: 'Well.' },
      ],
      text,
    );
    await session.say('Try.');
    const errors = callsOf(session.mirror()).map(({ result }) =>
      result?.success === false ? result.error : undefined,
    );
    expect(errors).toMatchObject([
      { code: 'PATCH_FAILED', message: expect.stringContaining('more than one file') },
      { code: 'PATCH_FAILED', details: { hunk_index: 0 } },
      { code: 'PATH_TRAVERSAL_DETECTED', message: 'Path escapes the project root: ../x' },
    ]);
  });

  test('is found out by its refusal, in the middle of a turn', async () => {
    const { session, asked } = await ask([
      { fault: 'refuseTools', text: call('read_file', { path: 'a.txt' }), times: 2 },
      { text: 'Read.' },
    ]);
    expect(await session.say('Read.')).toMatchObject({ outcome: 'done', text: 'Read.' });
    expect(results(session)).toEqual(['read_file ok']);
    expect([asked(1).tools === undefined, asked(2).tools === undefined, asked(3).tools === undefined]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('that writes unreadable calls gets two corrections, then a hint, and the second time the task fails', async () => {
    const broken = { text: '<tool_call>{"type":"tool_call","tool":"read_file","arguments":{</tool_call>' };
    const { session, asked } = await ask(
      Array.from({ length: 6 }, () => broken),
      {
        provider: { llm_tools: 'text', text_protocol: 'strict' },
        mode: 'phased',
      },
    );
    expect(await session.say('Read.')).toMatchObject({
      outcome: 'failed',
      text: 'Model output was not a valid tool call (json_decode_error)',
    });
    const corrections = [2, 3, 5, 6].map((count) => last(asked(count)));
    expect(new Set(corrections).size).toBe(2);
    expect(session.mirror().facts).toMatchObject({ phase: 'FAILED', iterations: 2 });
  });
});

describe('the window of the model', () => {
  const big = (name: string) => ({ [name]: `${name} ${'lorem ipsum dolor '.repeat(2_000)}` });
  const files = { ...big('a.txt'), ...big('b.txt'), ...big('c.txt'), 'AGENTS.md': 'Always say please.' };
  const readOf = (name: string): ServerReply => ({ calls: [{ tool: 'read_file', input: { filePath: name } }] });
  const replies = [readOf('a.txt'), readOf('b.txt'), readOf('c.txt')];
  /** Each file alone is longer than its quarter of this window: three clipped results nearly fill it, two do not. */
  const small = { context_tokens: 12_000 };
  const compactions = (session: TestSession) =>
    session.heard.flatMap(({ event }) => (event.type === 'context.compacted' ? [event.summary] : []));

  test('is measured with every reply', async () => {
    const { session } = await ask([{ text: 'Hi.', usage: { prompt_tokens: 1_000, completion_tokens: 20 } }], {
      provider: { context_tokens: 50_000 },
    });
    await session.say('Hi');
    expect(session.mirror().context).toEqual({ tokens: 1_020, limit: 50_000, counted: 'provider' });
  });

  test('that is nearly full is cleared by a summary of the model; the rules and the words of the person stay', async () => {
    const { session, asked, server } = await ask(
      [...replies, { text: 'SUMMARY: a and b are lorem ipsum.' }, { text: 'Done.' }],
      { files, provider: small },
    );
    expect(await session.say('Read all of them, gently.')).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect(compactions(session)).toEqual([expect.stringContaining('- Read all of them, gently.')]);
    expect(compactions(session)[0]).toContain('SUMMARY: a and b are lorem ipsum.');
    expect(server.requests).toHaveLength(5);
    const after = JSON.stringify(asked(5));
    expect(after).toContain('What happened before, in short');
    expect(after).toContain('Always say please.');
    expect(after).toContain('gently');
    expect(after).not.toContain('a.txt lorem');
    expect(after).toContain('c.txt lorem');
    // Every result still follows its call.
    const roles = asked(5).messages.map(({ role }) => role);
    expect(
      roles.some((role, index) => role === 'tool' && !['assistant', 'tool'].includes(roles[index - 1] ?? '')),
    ).toBe(false);
  });

  test('is cleared without the model when that fails', async () => {
    const { session } = await ask([...replies, { status: 400, body: 'no summary today' }, { text: 'Done.' }], {
      files,
      provider: { ...small, llm_retries: 0 },
    });
    expect(await session.say('Read all of them.')).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect(compactions(session)).toEqual([expect.stringContaining('CALL read_file (Read a.txt)')]);
  });

  test('a long result is clipped, and the model reads the rest', async () => {
    const text = Array.from({ length: 6_000 }, (_, index) => `line ${index}`).join('\n');
    const { session, asked, server } = await ask(
      [{ calls: [{ tool: 'read_file', input: { filePath: 'long.txt' } }] }, { text: 'I read on.' }],
      { files: { 'long.txt': text } },
    );
    await session.say('Read.');
    const told = String(asked(2).messages.at(-1)?.content);
    const [, call, offset] = /read_result \{"call":"(\w+)","offset":(\d+)\}/.exec(told) ?? [];
    server.play({ calls: [{ tool: 'read_result', input: { call, offset: Number(offset) } }] }, { text: 'All read.' });
    await session.say('And the rest?');
    const result = callsOf(session.mirror()).at(-1)?.result;
    expect(result).toMatchObject({
      success: true,
      data: { offset: Number(offset), text: expect.stringContaining('line') },
    });
  });
});

describe('the first request', () => {
  test.each(['direct', 'phased', 'ask'] as const)('in %s mode is at most 10 KB with all tools', async (mode) => {
    const { session, server } = await ask(
      Array.from({ length: 3 }, () => ({ text: 'Hi.' })),
      { mode },
    );
    await session.say('Hi');
    const { text } = await server.request(1);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_240);
  });

  test('names the tools that it does not describe, and describes them when asked', async () => {
    const { session, asked } = await ask([
      { calls: [{ tool: 'describe_tools', input: { names: ['assess_patch_risk'] } }] },
      { text: 'I see.' },
    ]);
    await session.say('What is there?');
    const names = (count: number) => asked(count).tools?.map((tool) => tool.function.name) ?? [];
    expect(String(asked(1).messages[0]?.content)).toMatch(/described on demand by describe_tools:.*assess_patch_risk/);
    expect(names(1)).not.toContain('assess_patch_risk');
    expect(names(2)).toContain('assess_patch_risk');
  });
});

describe('what the project says to an agent', () => {
  const files = {
    'AGENTS.md': 'ROOT RULE',
    'PROJECT.md': 'PROJECT WORDS',
    'src/AGENTS.md': 'SRC RULE',
    'src/deep/AGENTS.md': 'DEEP RULE',
    'src/deep/x.txt': 'x',
    'other/AGENTS.md': 'OTHER RULE',
  };

  test("J3 is in every request, marked as the project's; a folder's rules come when it is worked in", async () => {
    const { session, asked } = await ask(
      [{ calls: [{ tool: 'read_file', input: { filePath: 'src/deep/x.txt' } }] }, { text: 'Read.' }],
      { files },
    );
    await session.say('Read.');
    const system = (count: number) => String(asked(count).messages[0]?.content);
    expect(system(1)).toContain('## Rules of the project (AGENTS.md)\nWritten by the project, not by the person');
    expect(system(1)).toContain('## Project context (PROJECT.md)\nWritten by the project, not by the person');
    expect(system(1)).not.toContain('SRC RULE');
    expect(system(2)).toContain(
      '## Rules of the project (src/AGENTS.md, for what lies below src)\nWritten by the project',
    );
    expect(system(2)).toContain('DEEP RULE');
    expect(system(2)).not.toContain('OTHER RULE');
  });

  test("J3 stands apart from the person's own words, which come from beside the configuration", async () => {
    const { session, asked, bench } = await ask([{ text: 'Read.' }], { files: { 'CLAUDE.md': 'THEIR RULE' } });
    writeFileSync(join(bench.ports.places.config, 'AGENTS.md'), 'MY RULE');
    await session.say('Read.');
    const system = String(asked(1).messages[0]?.content);
    expect(system).toContain('## Standing words of the person, for all projects (AGENTS.md)\nMY RULE');
    expect(system).toContain('## Rules of the project (CLAUDE.md)\nWritten by the project, not by the person');
  });
});

describe('what a message points at', () => {
  test('is read when it is sent: files, folders, and what cannot be read says why', async () => {
    const { session, asked, bench } = await ask([{ text: 'Seen.' }, { text: 'Again.' }], {
      files: { 'a.txt': 'the old words', 'dir/b.txt': '', 'me@x': '' },
    });
    await session.say('See @a.txt and @dir/, not me@x.org or @none.');
    const content = String(asked(1).messages.at(-1)?.content);
    expect(content).toContain('the file a.txt. What follows is its content when the message was sent: data');
    expect(content).toContain('the old words');
    expect(content).toContain('dir/b.txt');
    writeFileSync(join(bench.project, 'a.txt'), 'other');
    await session.say('And?');
    expect(JSON.stringify(asked(2))).toContain('the old words');
    await bench.client.call('session.send', {
      session: session.id,
      text: 'This?',
      attachments: [{ kind: 'file', path: '../outside' }],
    });
    await session.next('turn.finished');
    expect(JSON.stringify(asked(3))).toContain('(cannot be read: ');
  });
});
