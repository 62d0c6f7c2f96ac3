import { expect, test } from 'vitest';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { createTestIo } from '../testing/testIo.ts';
import { forTerminal } from './forTerminal.ts';
import { createLinePrinter } from './printEvents.ts';

const clipboard = '\u001B]52;c;aGk=\u0007';

function printed(stdoutIsTty: boolean): { readonly out: string; readonly err: string } {
  const io = { ...createTestIo('/'), stdoutIsTty };
  const printer = createLinePrinter(io, (colour, text) => `<${colour}>${text}`);
  const events: readonly SessionEvent[] = [
    { type: 'text.delta', turn: 't', text: `words${clipboard}\n` },
    { type: 'notice', level: 'warning', code: 'test', text: `notice${clipboard}` },
    {
      type: 'tool.finished',
      call: 'c',
      tool: 'x',
      result: { success: false, error: { code: 'INTERNAL', message: `\u009B2Jfault` } },
    },
  ];
  for (const [seq, event] of events.entries()) printer.print({ session: 's', seq, at: '', event });
  printer.end({ type: 'turn.finished', turn: 't', outcome: 'failed', text: 'over\rwritten' });
  return io.printed;
}

test('C8: nothing that a model or a tool writes reaches a terminal as a command to it', () => {
  expect(printed(true)).toEqual({
    out: 'words␛]52;c;aGk=␇\n\n',
    err: '<yellow>notice␛]52;c;aGk=␇\n<red>  INTERNAL: ⟦U+009B⟧2Jfault\n<red>failed: over␍written\n',
  });
});

test('words that go into a file or a pipe stay as they are', () => {
  expect(printed(false).out).toBe(`words${clipboard}\n\n`);
});

test('tabs, line ends and all other letters are printed as they are', () => {
  const text = 'a\tb\r\nc\n語 é 👩‍👩‍👧';
  expect(forTerminal(text)).toBe(text);
});

test('where only the answer is wanted, it alone is on standard output, once', () => {
  const io = { ...createTestIo('/'), stdoutIsTty: false };
  const printer = createLinePrinter(io, (_, text) => text, true);
  const events: readonly SessionEvent[] = [
    { type: 'text.delta', turn: 't', text: 'I look first.' },
    { type: 'tool.proposed', call: 'c', turn: 't', tool: 'read_file', level: 'none', input: {} },
    { type: 'text.delta', turn: 't', text: 'It is ' },
    { type: 'text.delta', turn: 't', text: 'four.' },
  ];
  for (const [seq, event] of events.entries()) printer.print({ session: 's', seq, at: '', event });
  printer.end({ type: 'turn.finished', turn: 't', outcome: 'incomplete', text: 'It is four.', open: ['Not done: x'] });
  expect(io.printed).toEqual({ out: 'It is four.\n', err: 'I look first.\n· read_file\nNot done: x\n' });
});

test('a build that turns red is told with the hunk that it comes from', () => {
  const io = createTestIo('/');
  const printer = createLinePrinter(io, (tone, text) => `<${tone}>${text}`);
  const written = { changeSet: 'change_1', path: 'a.ts', hunk: 1 };
  const finding = { check: 'tsc -w', severity: 'error', message: 'Wrong.', file: 'a.ts', line: 3, written } as const;
  const build = { task: 'cli-1', state: 'red', at: '', errors: 1, warnings: 0, findings: [finding] } as const;
  printer.print({ session: 's', seq: 1, at: '', event: { type: 'build.changed', build } });
  expect(io.printed.err).toContain('<red>  cli-1: 1 error in a.ts\n');
  expect(io.printed.err).toContain('tsc -w: a.ts:3: Wrong., in hunk 2 of the change set change_1\n');
});

test('each change of the to-do list is told as the whole list', () => {
  const io = createTestIo('/');
  const printer = createLinePrinter(io, (tone, text) => `<${tone}>${text}`);
  const todos = (['completed', 'in_progress', 'pending'] as const).map((status) => ({ content: 'Part', status }));
  printer.print({ session: 's', seq: 1, at: '', event: { type: 'todos.changed', by: 'agent', todos } });
  expect(io.printed).toEqual({ out: '', err: '<dim>  [x] Part\n  [>] Part\n  [ ] Part\n' });
});

test('what checks say of waiting edits is told once it is known, and their tasks are not told beside it', () => {
  const io = createTestIo('/');
  const printer = createLinePrinter(io, (_, text) => text);
  const check = { name: 'types', command: 'npm run types', errors: 0, warnings: 0 } as const;
  const finding = { check: 'types', severity: 'error', message: 'Wrong.', file: 'a.ts', line: 3, rule: 'TS1' } as const;
  const events: readonly SessionEvent[] = [
    { type: 'change.rehearsed', rehearsal: { state: 'asks', checks: [{ ...check, state: 'asks' }], findings: [] } },
    {
      type: 'change.rehearsed',
      rehearsal: { state: 'running', checks: [{ ...check, state: 'running' }], findings: [] },
    },
    {
      type: 'task.ended',
      task: {
        id: 'cli-1',
        title: 'Rehearsal: npm run types',
        command: 'npm run types',
        mode: 'direct',
        cwd: '/',
        kind: 'agent',
        state: 'completed',
        call: 'rehearsal',
        exitCode: 2,
        createdAt: '',
        outputBytes: 0,
        logPath: '',
      },
    },
    {
      type: 'change.rehearsed',
      rehearsal: { state: 'done', checks: [{ ...check, state: 'red', errors: 1 }], findings: [finding] },
    },
    { type: 'change.rehearsed', rehearsal: null },
  ];
  for (const [seq, event] of events.entries()) printer.print({ session: 's', seq, at: '', event });
  expect(io.printed.err).toBe(
    '  can be tried first: npm run types\n  tried: 1 check: 1 new error in a.ts\n    types: a.ts:3: Wrong. (TS1)\n',
  );
});
