import { describe, expect, test } from 'vitest';
import type { ServerReply } from '../../../e2e/modelServer.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { TestSession } from '../testing/engineForTest.ts';
import { askServer as ask } from '../testing/serverBench.ts';

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
