import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../project/textSearch/wordRank.ts';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { searchCodebase } from './searchCodebase.ts';

interface Data {
  readonly results: readonly { readonly file: string; readonly matches: readonly unknown[] }[];
  readonly total: number;
  readonly truncated: boolean;
}

async function search(root: string, input: Record<string, unknown>): Promise<Data> {
  const result = (await (await tryIn(root)).tool(searchCodebase, input)) as { data: Data };
  return result.data;
}

const filesOf = ({ results }: Data) => results.map(({ file }) => file);

describe('search_codebase', () => {
  test.each([
    ['userLogin flow', ['user', 'login', 'flow']],
    ['parse_HTTPRequest2', ['parse', 'http', 'request2']],
    ['a user', ['user']],
    ['中文', ['中文']],
    ['!!', []],
  ])('takes %s apart', (query, words) => expect(wordsOf(query)).toEqual(words));

  test('files with all words come first, then those with a word in the path, then those with more lines', async () => {
    const root = testFolder({
      'few.ts': 'login\n',
      'many.ts': 'login\n'.repeat(50),
      'login/index.ts': 'login\n',
      'all.ts': 'function user_login() {}\nother\n// LOGIN again\n',
      'none.ts': 'nothing\n',
    });
    const data = await search(root, { query: 'userLogin' });
    expect(filesOf(data)).toEqual(['all.ts', 'login/index.ts', 'many.ts', 'few.ts']);
    expect(data).toMatchObject({ total: 4, truncated: false });
    expect(data.results[0]?.matches).toEqual([
      { line: 1, text: 'function user_login() {}' },
      { line: 3, text: '// LOGIN again' },
    ]);
  });

  test('five lines a file, those with most words, in the order of the file', async () => {
    const root = testFolder({ 'a.ts': `${'user\n'.repeat(8)}user login\n` });
    const data = await search(root, { query: 'user login' });
    expect(data.results[0]?.matches).toEqual([
      { line: 1, text: 'user' },
      { line: 2, text: 'user' },
      { line: 3, text: 'user' },
      { line: 4, text: 'user' },
      { line: 9, text: 'user login' },
    ]);
  });

  test('tests and documents can be left out', async () => {
    const root = testFolder({
      'a.ts': 'word',
      'a.test.ts': 'word',
      'x_test.go': 'word',
      'tests/b.py': 'word',
      'spec/c.rb': 'word',
      'src/__tests__/d.ts': 'word',
      'latest/e.ts': 'word',
      'README.md': 'word',
      'notes.txt': 'word',
    });
    expect((await search(root, { query: 'word' })).total).toBe(9);
    expect(filesOf(await search(root, { query: 'word', includeTests: false, includeDocs: false })).sort()).toEqual([
      'a.ts',
      'latest/e.ts',
    ]);
  });

  test('50 files are told, all are counted', async () => {
    const root = testFolder(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}.ts`, 'word\n'])));
    const data = await search(root, { query: 'word' });
    expect(data).toMatchObject({ total: 60, truncated: true });
    expect(data.results).toHaveLength(50);
  });

  test('ignored and binary files are left out', async () => {
    const root = testFolder({
      'node_modules/x.js': 'word',
      '.viseignore': 'no',
      no: 'word',
      bin: new Uint8Array([0, ...Buffer.from('\nword\n')]),
    });
    expect(filesOf(await search(root, { query: 'word' }))).toEqual([]);
  });

  test('each refusal has its code, and no permission is needed', async () => {
    const trial = await tryIn(testFolder());
    for (const query of ['', 'x', ' y ', '??'])
      expect(await trial.tool(searchCodebase, { query })).toMatchObject({ error: { code: 'QUERY_TOO_SHORT' } });
    expect(await trial.tool(searchCodebase, {})).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    const stopped = await trial.tool(searchCodebase, { query: 'word' }, { signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ error: { code: 'CANCELLED' } });
    expect((await trial.plan(searchCodebase, { query: 'word' })).intent.risk).toBe('none');
  });
});
