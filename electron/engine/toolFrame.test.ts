import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type TestBench, testBench } from './testing/engineForTest.ts';
import { silentLog } from './testing/silentLog.ts';
import { plainInputs, writeSample } from './testing/toolCases/plainInputs.ts';
import { type CallContext, planCall } from './tools/frame/runTool.ts';
import { defineTool } from './tools/frame/tool.ts';
import { createToolset } from './tools/frame/toolset.ts';
import { toolReference } from './tools/testing/toolReference.ts';

const open = () => new AbortController().signal;

async function sample(): Promise<TestBench> {
  const bench = testBench({}, { interactive: false });
  writeSample(bench.project);
  return bench;
}
const codeOf = (result: { success: boolean; error?: { code: string } }): string => result.error?.code ?? 'ok';

/** A value that no property of this type takes. */
const wrongFor = (type: unknown): unknown => (type === 'string' || type === undefined ? 7 : 'no');

describe('what the frame answers for every tool', () => {
  test('there is an input for each tool of the reference', () => {
    expect(Object.keys(plainInputs).toSorted()).toEqual(toolReference.map(({ name }) => name).toSorted());
  });

  test('VALIDATION_ERROR names each property that does not fit', async () => {
    const bench = await sample();
    const toolset = await bench.engine.toolset(bench.project, 'read_file');
    if (!toolset.ok) throw new Error(toolset.error.message);
    for (const [name, input] of Object.entries(plainInputs)) {
      const properties = (toolset.value.find(name)?.inputSchema()['properties'] ?? {}) as Record<
        string,
        { type?: unknown }
      >;
      const none = await bench.engine.callTool(bench.project, name, 'no object', open());
      expect([name, codeOf(none)]).toEqual([name, 'VALIDATION_ERROR']);
      for (const [property, { type }] of Object.entries(properties)) {
        const result = await bench.engine.callTool(
          bench.project,
          name,
          { ...input, [property]: wrongFor(type) },
          open(),
        );
        expect([name, property, result]).toEqual([
          name,
          property,
          {
            success: false,
            error: {
              code: 'VALIDATION_ERROR',
              message: expect.stringContaining(property),
              details: expect.arrayContaining([{ path: property, message: expect.any(String) }]),
            },
          },
        ]);
      }
    }
  });

  test('null for an input that may be left out is as if it were left out', async () => {
    const bench = await sample();
    const read = (input: object) => bench.engine.callTool(bench.project, 'read_file', input, open());
    expect(codeOf(await read({ filePath: 'a.txt', offset: null }))).toBe('ok');
    expect(codeOf(await read({ filePath: null }))).toBe('VALIDATION_ERROR');
  });

  test('an input under a name that is none is told the right one', async () => {
    const bench = await sample();
    expect(await bench.engine.callTool(bench.project, 'read_file', { path: 'a.txt' }, open())).toMatchObject({
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('It is called "filePath", not "path"') },
    });
  });

  test.each([
    ['edit_file', { filePath: 'a.txt', oldStr: 'x', newStr: 'x' }, 'newStr'],
    ['read_file', { filePath: '' }, 'filePath'],
    ['run', { command: ' ' }, 'command'],
    ['ask_user', { question: ' ' }, 'question'],
    ['ask_user', { question: 'Which?', more: Array(8).fill({ question: 'And?' }) }, 'more'],
    ['browser_find', { query: ' ' }, 'query'],
    ['git_commit', { message: ' ' }, 'message'],
    ['find_symbol', { symbol: ' ' }, 'symbol'],
    ['git_diff', { files: ['a.txt', '-x'] }, 'files'],
  ])('VALIDATION_ERROR of %s for %j names %s, whoever found it', async (name, input, path) => {
    const bench = await sample();
    expect(await bench.engine.callTool(bench.project, name, input, open())).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: [{ path, message: expect.any(String) }] },
    });
  });

  test('PERMISSION_REQUIRED where nobody can be asked, PERMISSION_DENIED where the person says no, before anything is done', async () => {
    const bench = await sample();
    const seen: Record<string, readonly string[]> = {};
    const expected: Record<string, readonly string[]> = {};
    for (const { name, level } of toolReference) {
      const input = plainInputs[name];
      if (level === 'none') continue;
      const nobody = await bench.engine.callTool(bench.project, name, input, open());
      const denied = await bench.engine.callTool(bench.project, name, input, open(), {
        ask: () => Promise.resolve('deny'),
      });
      seen[name] = [codeOf(nobody), codeOf(denied)];
      expected[name] = ['PERMISSION_REQUIRED', 'PERMISSION_DENIED'];
    }
    expect(seen).toEqual(expected);
    expect(bench.file('a.txt')).toBe('one\ntwo\n');
  });

  test('CANCELLED when it was stopped before', async () => {
    const bench = await sample();
    for (const [name, input] of Object.entries(plainInputs)) {
      const result = await bench.engine.callTool(bench.project, name, input, AbortSignal.abort());
      expect([name, codeOf(result)]).toEqual([name, 'CANCELLED']);
    }
  });

  test('TOOL_NOT_FOUND with the nearest names', async () => {
    const bench = await sample();
    const result = await bench.engine.callTool(bench.project, 'read_fil', {}, open());
    expect(result).toMatchObject({ error: { code: 'TOOL_NOT_FOUND', message: expect.stringContaining('read_file') } });
  });

  test('TOOL_EXECUTION_FAILED for a bug, which ends the call and nothing else', async () => {
    const broken = defineTool({
      name: 'broken',
      category: 'file',
      permission: 'none',
      about: 'Throws.',
      input: () => z.object({}),
      output: () => z.unknown(),
      plan: () => Promise.reject(new Error('a bug')),
      run: () => Promise.reject(new Error('a bug')),
    });
    const unused = () => {
      throw new Error('not reached');
    };
    // Only what planning asks for; the rest of the context is never reached.
    const context = {
      turn: '',
      toolset: createToolset([broken]),
      look: {} as never, // never looked at
      log: silentLog,
      emit: unused,
      forbids: () => undefined,
      pass: unused,
      describe: unused,
      compose: unused,
      hands: unused,
      deniedPaths: () => undefined,
    } as unknown as CallContext;
    expect(await planCall({ id: 'c', tool: 'broken', input: {} }, context)).toMatchObject({
      state: 'refused',
      failure: { code: 'TOOL_EXECUTION_FAILED', message: expect.stringContaining('a bug') },
    });
  });
});
