import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Call } from '../../../shared/model/call.ts';
import type { AppliedFile, Change } from '../../../shared/model/change.ts';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { emptySession } from '../../../shared/model/sessionState.ts';
import { writeFile } from '../tools/file/writeFile.ts';
import { createToolset } from '../tools/frame/toolset.ts';
import { insertAt } from '../tools/patch/insertAt.ts';
import { createContents } from '../workspace/contents.ts';
import { createLook } from '../workspace/look.ts';
import { createSandbox } from '../workspace/sandbox.ts';
import { testFolder, treeOf } from '../workspace/testing/testFolder.ts';
import { hashOf } from '../workspace/textFile.ts';
import { createEditsOnDisk } from './editsOnDisk.ts';
import { finishInterrupted } from './interruptedCalls.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

async function crashed(files: Readonly<Record<string, string>>) {
  const root = testFolder(files);
  const sandbox = await createSandbox({ roots: [root] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const contents = createContents({ folder: testFolder() });
  const toolset = createToolset([insertAt, writeFile]);
  const written = createEditsOnDisk({ look: createLook(sandbox.value), contents, toolset });
  return { root, written, contents };
}

const call = (tool: string, input: unknown, changes: readonly Change[], more: Partial<Call> = {}): Call => ({
  id: 'c1',
  turn: 't',
  tool,
  input,
  level: 'dangerous',
  state: 'running',
  proposedAt: '',
  intent: { risk: 'dangerous', effects: ['writes'], targets: [], summary: '', preview: { kind: 'changes', changes } },
  ...more,
});
const change = (path: string, before: string | null, after: string | null): Change => ({
  path,
  status: before === null ? 'added' : 'modified',
  before: before === null ? null : hashOf(bytes(before)),
  after: after === null ? null : hashOf(bytes(after)),
  additions: 1,
  deletions: 0,
  hunks: [],
});
const applied = (
  { path, status, before, after }: Change,
  verdict: AppliedFile['verdict'] = 'applied',
): AppliedFile => ({
  path,
  status,
  before,
  after,
  additions: 1,
  deletions: 0,
  verdict,
});

const insertion = change('a.txt', 'one\n', 'new\none\n');
const inserting = { filePath: 'a.txt', lineNumber: 1, content: 'new' };

describe('what a crash has left of a change', () => {
  test('is told from the files', async () => {
    const { root, written } = await crashed({ 'a.txt': 'one\n' });
    const cut = call('insert_at', inserting, [insertion, change('b.txt', null, 'b')]);
    expect(await written.state(cut)).toBe('untouched');
    writeFileSync(join(root, 'b.txt'), 'b');
    expect(await written.state(cut)).toBe('unknown');
    writeFileSync(join(root, 'a.txt'), 'new\none\n');
    expect(await written.state(cut)).toBe('written');
    writeFileSync(join(root, 'a.txt'), 'somebody else');
    expect(await written.state(cut)).toBe('unknown');
    expect(await written.state({ ...cut, changeSet: 'x' })).toBe('written');
  });

  test('gives the result that was lost, and writes nothing', async () => {
    const { root, written, contents } = await crashed({ 'a.txt': 'new\none\n', 'made.txt': 'm' });
    await contents.put(bytes('one\n'));
    const set = (files: readonly AppliedFile[]) =>
      ({ ...emptySession, changeSets: [{ id: 'x', call: 'c1', turn: 't', at: '', files, state: 'applied' }] }) as const;
    const told = await written.result(
      call('insert_at', inserting, [insertion], { changeSet: 'x' }),
      set([applied(insertion)]),
    );
    expect(told).toMatchObject({ success: true, data: { filePath: 'a.txt' } });
    expect(told).not.toMatchObject({ data: { recovered: true } });
    const made = change('made.txt', null, 'm');
    const input = { filePath: 'made.txt', content: 'm' };
    expect(await written.result(call('write_file', input, [made], { changeSet: 'x' }), set([applied(made)]))).toEqual({
      success: true,
      data: { filePath: 'made.txt', bytesWritten: 1, created: true },
    });
    expect(treeOf(root)).toEqual({ 'a.txt': 'new\none\n', 'made.txt': 'm' });
  });

  test('that the person had edited is told as what it is', async () => {
    const { written } = await crashed({ 'a.txt': 'edited\n' });
    const files = [applied(insertion, 'edited')];
    const state = {
      ...emptySession,
      changeSets: [{ id: 'x', call: 'c1', turn: 't', at: '', files, state: 'applied' }],
    } as const;
    expect(await written.result(call('insert_at', inserting, [insertion], { changeSet: 'x' }), state)).toEqual({
      success: true,
      data: { recovered: true, files: [{ path: 'a.txt', verdict: 'edited' }] },
    });
  });
});

test('what had begun and could have done something is never begun again; what only read is', async () => {
  const { written } = await crashed({ 'a.txt': 'one\n' });
  const running = (id: string, effects: readonly ('reads' | 'writes' | 'executes')[]): Call => ({
    ...call('run', {}, []),
    id,
    intent: { risk: 'none', effects, targets: [], summary: '', preview: { kind: 'none' } },
  });
  const calls = [
    running('command', ['executes']),
    running('reader', ['reads']),
    { ...running('new', ['executes']), state: 'waiting' as const },
  ];
  const told: SessionEvent[] = [];
  const parts = {
    session: { state: emptySession },
    context: { emit: (event: SessionEvent) => told.push(event) },
    editsOnDisk: written,
  };
  const left = await finishInterrupted(
    calls.map(({ id, tool, input }) => ({ id, tool, input })),
    new Map(calls.map((one) => [one.id, one])),
    parts,
  );
  expect(left.map(({ id }) => id)).toEqual(['reader', 'new']);
  expect(told).toMatchObject([{ type: 'tool.finished', call: 'command', result: { error: { code: 'CANCELLED' } } }]);
});
