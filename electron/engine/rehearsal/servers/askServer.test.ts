import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scriptedServer } from '../../testing/scriptedServer.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { askServer } from './askServer.ts';
import { printLine, readLines } from './serverLines.ts';

const own = (file: string): readonly [string, string] => [process.execPath, file];

async function ask(files: Readonly<Record<string, string>>, limitMs = 60_000) {
  const folder = testFolder({ 'server.mjs': scriptedServer, ...files });
  const answer = await askServer(
    { server: own('server.mjs'), files: [...Object.keys(files), 'gone.py'], limitMs },
    folder,
  );
  return answer.ok ? answer.value : answer.error.message;
}

test('diagnostics of all files are told with their places, hints are not', async () => {
  const bad = { line: 2, column: 1, severity: 'error', rule: 'bad', message: 'BAD is\nwrong.' };
  expect(await ask({ 'a.py': 'x\nBAD\n', 'b.py': 'fine\n', 'c.txt': 'BAD\n' })).toEqual([{ file: 'a.py', ...bad }]);
});

describe('a server that', () => {
  test.each([
    ['crashes is told with its last words', 'CRASH', 'The language server ended (code 3): out of cheese'],
    ['hangs is ended at the limit', 'HANG', 'The language server came to no rest within 2 seconds.'],
    ['writes without end is ended', 'FLOOD', 'The language server wrote more than 64 MB and was ended.'],
  ])('%s', async (_, text, told) => {
    expect(await ask({ 'a.py': `${text}\n` }, text === 'HANG' ? 2_000 : 60_000)).toBe(told);
  });

  test('speaks no protocol fails, and so does one that is not there', async () => {
    expect(await ask({ 'a.py': 'RIDDLES\n' }, 2_000)).toEqual(expect.any(String));
    const answer = await askServer({ server: ['no-such-server'], files: [], limitMs: 60_000 }, testFolder({}));
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('could not be started') } });
  });
});

test('the compiler of TypeScript is asked as a server', async () => {
  const compiler = join(import.meta.dirname, '../../../../node_modules/.bin/tsc');
  expect(existsSync(compiler)).toBe(true);
  const folder = testFolder({
    'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, types: [] } }),
    'src/a.ts': "import { b } from './b.ts';\nexport const a: number = b;\n",
    'src/b.ts': "export const b = 'b';\n",
  });
  const answer = await askServer(
    { server: [compiler, '--lsp', '--stdio'], files: ['src/a.ts'], limitMs: 120_000 },
    folder,
  );
  expect(answer.ok && answer.value.filter(({ rule }) => rule === 'TS2322')).toEqual([
    {
      file: 'src/a.ts',
      line: 2,
      column: 14,
      severity: 'error',
      rule: 'TS2322',
      message: "Type 'string' is not assignable to type 'number'.",
    },
  ]);
});

test('what is printed is read again, on one line, and other lines are passed over', () => {
  const line = { file: 'a (1).ts', line: 3, column: 5, severity: 'warning' as const, message: 'it is:\n  so' };
  const text = `noise\n${printLine({ ...line, rule: 'no such: rule' })}\n${printLine({ ...line, rule: undefined })}\n`;
  expect(readLines(text)).toEqual([
    { ...line, message: 'it is: so', rule: 'no-such-rule' },
    { ...line, message: 'it is: so', rule: undefined },
  ]);
});
