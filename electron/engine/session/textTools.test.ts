import { describe, expect, test } from 'vitest';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { TestSession } from '../testing/engineForTest.ts';
import { type Asked, askServer as ask } from '../testing/serverBench.ts';

const results = (session: TestSession): readonly string[] =>
  callsOf(session.mirror()).map(({ tool, result }) => `${tool} ${result?.success ? 'ok' : result?.error.code}`);

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
