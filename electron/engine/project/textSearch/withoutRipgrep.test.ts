import { describe, expect, test } from 'vitest';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { testLook } from '../../workspace/testing/testLook.ts';
import { firstNames, listFiles, walkFiles } from './listFiles.ts';
import { searchWithScript } from './scriptSearch.ts';
import { searchText } from './searchText.ts';
import { rankByReading, searchWords } from './searchWords.ts';

const files = {
  'a.ts': 'user login\n',
  'src/b.ts': 'function login(user) {}\nlogin\n',
  'src/deep/c.md': 'user\r\nlogin\r\n',
  '.hidden/d': 'login',
  'node_modules/m/i.js': 'login',
  '.gitignore': 'no\n',
  no: 'login',
  'src/.viseignore': 'v\n',
  'src/v': 'login',
  bin: new Uint8Array([0, ...Buffer.from('login')]),
};
const signal = new AbortController().signal;

async function placed(tree: Parameters<typeof testFolder>[0] = files, below = '.') {
  const look = await testLook(testFolder(tree));
  const start = await look.resolve(below);
  if (!start.ok) throw new Error(start.error.message);
  return { look, start: start.value };
}

describe('what works without ripgrep finds the same', () => {
  test('names of files', async () => {
    const { look, start } = await placed();
    const walked: string[] = [];
    const listed: string[] = [];
    await walkFiles(look, start, 0, signal, (name, isHidden) => isHidden() || walked.push(name));
    await listFiles(look, start, { signal, take: (name, isHidden) => isHidden() || listed.push(name) });
    expect(walked.sort()).toEqual(listed.sort());
    expect(walked).toEqual(['.gitignore', '.hidden/d', 'a.ts', 'bin', 'src/.viseignore', 'src/b.ts', 'src/deep/c.md']);
  });

  test('matches of a pattern', async () => {
    const { look, start } = await placed();
    const search = { pattern: 'log(in)?', ignoreCase: true, start, contextLines: 1, limit: 3 };
    const found = await searchText(look, search, signal);
    expect(await searchWithScript(look, search, true, signal)).toEqual(found);
    expect(found).toMatchObject({ value: { totalMatches: 5, filesWithMatches: 4, truncated: true } });
  });

  test('files ranked by words', async () => {
    const { look, start } = await placed();
    const search = { words: ['user', 'login'], start, accepts: () => true };
    expect(await rankByReading(look, search, signal)).toEqual(await searchWords(look, search, signal));
  });
});

const negated = {
  'a.ts': 'login\n',
  'generated/b.ts': 'login\n',
  'generated/deep/no.ts': 'login\n',
  'dist/c.js': 'login\n',
  'out/d.js': 'login\n',
  'x.log': 'login\n',
  'keep.log': 'login\n',
  'sub/own/e.ts': 'login\n',
  'sub/.gitignore': 'own/\n',
  'sub/.viseignore': '!own/\n',
  '.gitignore': 'generated/\nout/\n*.log\n',
  '.viseignore': '!generated/\n!dist/\n!keep.log\ngenerated/deep/\n',
};

test.each([
  ['.', ['a.ts', 'dist/c.js', 'generated/b.ts', 'keep.log', 'sub/own/e.ts']],
  ['generated', ['generated/b.ts']],
  ['sub', ['sub/own/e.ts']],
])('.viseignore brings back what .gitignore hides, in every search: %s', async (below, expected) => {
  const { look, start } = await placed(negated, below);
  const walked: string[] = [];
  const listed: string[] = [];
  await walkFiles(look, start, 0, signal, (name, isHidden) => isHidden() || walked.push(name));
  await listFiles(look, start, { signal, take: (name, isHidden) => isHidden() || listed.push(name) });
  expect(listed.sort()).toEqual(walked.sort());
  const search = { pattern: 'login', ignoreCase: false, start, contextLines: 0, limit: 99 };
  const found = await searchText(look, search, signal);
  expect(found.ok && found.value.matches.map(({ file }) => file)).toEqual(expected);
  const words = await searchWords(look, { words: ['login'], start, accepts: () => true }, signal);
  expect(words.ok && words.value.results.map(({ file }) => file).sort()).toEqual(expected);
});

test('a pattern that no command line can hold is refused, not tried', async () => {
  const { look, start } = await placed();
  const search = { pattern: 'x'.repeat(200_000), ignoreCase: false, start, contextLines: 0, limit: 3 };
  expect(await searchText(look, search, signal)).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
});

test('the first names are kept, whatever order they come in', () => {
  const first = firstNames(3);
  for (const name of ['d', 'b', 'f', 'a', 'e', 'c', 'g', 'é', 'B']) first.add(name);
  expect([first.names(), first.isTruncated()]).toEqual([['B', 'a', 'b'], true]);
  const few = firstNames(3);
  for (const name of ['b', 'a']) few.add(name);
  expect([few.names(), few.isTruncated()]).toEqual([['a', 'b'], false]);
});
