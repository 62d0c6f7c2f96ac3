import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestBench, testBench } from './testing/engineForTest.ts';

/** Stands in every denied file, and nowhere else. */
const secret = 'xyzzySecret';

const files = {
  'src/open.ts': 'export function openOne(): number {\n  return 1;\n}\n',
  'private/deep/hidden.ts': `export function ${secret}(): number {\n  return openOne();\n}\n`,
  'private/notes.md': `# ${secret} openOne\n`,
  'token.txt': `${secret}\n`,
};

const rules = [
  { effect: 'deny', match: { path: 'private/**' } },
  { effect: 'deny', match: { tool: 'read_file', path: 'token.txt' } },
  { effect: 'deny', match: { path: 'old' } },
];

// The spec of rg needs the program, which not every machine has.
const { PATH } = process.env;
beforeAll(() => {
  process.env['PATH'] = `${PATH}${delimiter}${dirname(rgPath)}`;
});
afterAll(() => {
  process.env['PATH'] = PATH;
});

function git(cwd: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'pipe' });
}

/** A project whose rules deny some of its files; everything else is allowed, and nobody can be asked. */
function deniedBench(denied: readonly object[] = rules): TestBench {
  const bench = testBench(files, { allow: 'dangerous', interactive: false });
  const rulesFile = join(bench.ports.places.config, 'rules.json');
  mkdirSync(dirname(rulesFile), { recursive: true });
  writeFileSync(rulesFile, JSON.stringify({ rules: denied }));
  git(bench.project, 'init', '--quiet');
  git(bench.project, 'add', '--all');
  git(bench.project, 'commit', '--quiet', '--message=first');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(bench.project, name), `${text}// ${secret}2\n`);
  writeFileSync(join(bench.project, 'src/open.ts'), `${files['src/open.ts']}// more openOne\n`);
  return bench;
}

const call = async (bench: TestBench, tool: string, input: unknown) =>
  bench.engine.callTool(bench.project, tool, input, AbortSignal.timeout(60_000));

describe('C11: what a deny rule names is in no result', () => {
  const sweeping: readonly (readonly [tool: string, input: object, shown: string])[] = [
    ['grep_search', { pattern: 'openOne|Secret' }, 'src/open.ts'],
    ['grep_search', { pattern: '(?<=open)One|(?<=xyzzy)Secret' }, 'src/open.ts'],
    ['search_codebase', { query: 'openOne hidden' }, 'src/open.ts'],
    ['search_files', { pattern: '**/*' }, 'src/open.ts'],
    ['find_symbol', { symbol: 'openOne' }, 'src/open.ts'],
    ['find_references', { symbol: 'openOne' }, 'src/open.ts'],
    ['list_directory', { recursive: true }, 'src/open.ts'],
    ['list_directory', {}, 'src'],
    ['project_map', {}, 'src/open.ts'],
    ['git_diff', {}, 'more openOne'],
    ['git_status', {}, 'src/open.ts'],
  ];
  test('C11: searches, lists, symbols and git show the rest, and say that something is left out', async () => {
    const bench = deniedBench();
    for (const [tool, input, shown] of sweeping) {
      const text = JSON.stringify(await call(bench, tool, input));
      const isRight = text.includes(shown) && !/xyzzySecret|private\/|token\.txt|hidden\.ts/.test(text);
      const isTold = /(?:is|are) left out, because/.test(text);
      expect([tool, input, text, isRight, isTold]).toEqual([tool, input, text, true, true]);
    }
  });

  test('C11: the count does not tell whether a denied file holds what is searched for', async () => {
    const bench = deniedBench();
    const told = async (tool: string, input: object) => JSON.stringify(await call(bench, tool, input));
    const search = (pattern: string) => told('grep_search', { pattern });
    expect(await search('xyzzySec')).toBe(await search('nothingAtAll'));
    const words = (query: string) => told('search_codebase', { query });
    expect(await words('xyzzySecret')).toBe(await words('nothingAtAll'));
  });

  const refused: readonly (readonly [tool: string, input: object])[] = [
    ['read_file', { filePath: 'private/notes.md' }],
    ['read_file', { filePath: 'src/link.md' }],
    ['grep_search', { pattern: 'Secret', path: 'private' }],
    ['grep_search', { pattern: 'Secret', path: 'token.txt' }],
    ['list_directory', { path: 'private/deep' }],
    ['find_symbol', { symbol: secret, path: 'private/deep/hidden.ts' }],
    ['list_symbols', { filePath: 'private/deep/hidden.ts' }],
    ['get_file_info', { filePath: 'private/notes.md' }],
    ['edit_file', { filePath: 'private/notes.md', oldStr: '# xyzzy openOn', newStr: 'x' }],
    ['edit_file', { filePath: 'token.txt', oldStr: 'xyzzySecre', newStr: 'x' }],
    ['git_diff', { files: ['private/notes.md'] }],
    ['git_diff', { files: ['token.txt'] }],
    ['git_log', { file: 'private/notes.md' }],
    ['git_blame', { file: 'private/notes.md' }],
    ['git_show', {}],
    ['git_show', { object: 'HEAD' }],
    ['git_show', { object: 'HEAD:private/notes.md' }],
    ['git_stash_show', { patch: true }],
    ['rg_run', { pattern: 'Secret' }],
    ['rg_run', { pattern: 'Secret', path: ['private'] }],
    ['jq_run', { filter: '.', file: 'private/notes.md' }],
    ['lint', { command: 'cat private/notes.md' }],
    ['run', { command: 'git log -p' }],
    ['run', { command: 'git log --patch src private' }],
    ['run', { command: 'git diff' }],
    ['run', { command: 'git stash show -p' }],
    ['run', { command: 'git show HEAD:private/notes.md' }],
    ['run', { command: 'git cat-file -p HEAD:private/notes.md' }],
    ['run', { command: 'git blame private/notes.md' }],
    ['run', { command: 'git grep Secret' }],
    ['run', { command: 'grep -r Secret .' }],
    ['run', { command: 'cd src && grep -rn Secret ..' }],
    ['run', { command: 'find . -name notes.md -exec cat {} +' }],
    ['run', { command: 'git ls-files | xargs cat' }],
    ['run', { command: 'cat pri*/notes.md' }],
    ['run', { command: 'cat src/link.md' }],
    ['run', { command: 'tar c . | cat' }],
    ['run', { command: 'cp -r . /dev/stdout' }],
    ['cli_based_tool', { command: 'cat private/notes.md' }],
  ];
  test('C11: what names a denied file, or shows more than it names, is refused', async () => {
    const bench = deniedBench([
      { effect: 'deny', match: { path: 'private/**' } },
      { effect: 'deny', match: { path: 'token.txt' } },
    ]);
    symlinkSync('../private/notes.md', join(bench.project, 'src/link.md'));
    for (const [tool, input] of refused) {
      const result = await call(bench, tool, input);
      const text = JSON.stringify(result);
      const isRefused = !result.success && /rule|PERMISSION_DENIED/.test(text) && !text.includes(secret);
      expect([tool, input, text, isRefused]).toEqual([tool, input, text, true]);
    }
  });

  test('C11: a command that reads what is not denied is not held back', async () => {
    const bench = deniedBench(rules.slice(0, 1));
    for (const command of [
      'grep -rn openOne src',
      'git diff -- src',
      'git log --oneline',
      'git show HEAD:src/open.ts',
      'git log -p -- src',
      'rg openOne src',
    ])
      expect(await call(bench, 'run', { command })).toMatchObject({ success: true, data: { exitCode: 0 } });
  });

  test('C11: lint and build leave out what they print of denied files', async () => {
    const bench = deniedBench(rules.slice(0, 1));
    const lines = [
      'src/open.ts:1:1: warning: fine [a]',
      `private/deep/hidden.ts:1:1: warning: ${secret} [b]`,
      `  1 | ${secret}`,
      'done',
    ];
    writeFileSync(join(bench.project, 'print.txt'), lines.join('\n'));
    for (const tool of ['lint', 'build']) {
      const result = await call(bench, tool, { command: 'cat print.txt' });
      expect(result).toMatchObject({
        success: true,
        data: { output: 'src/open.ts:1:1: warning: fine [a]\ndone', issueCount: 1 },
      });
      expect(JSON.stringify(result)).not.toContain(secret);
    }
  });

  test('C11: a message that mentions denied files brings nothing of them', async () => {
    const bench = deniedBench(rules.slice(0, 1));
    const session = await bench.session([{ text: 'I see.' }]);
    await session.say('Look at @private/notes.md, @private and @src');
    const text = JSON.stringify(session.mirror().items);
    expect(text).toContain('src/open.ts');
    expect(text).toContain('A rule forbids to read private/notes.md');
    expect(text).not.toMatch(/xyzzySecret|hidden\.ts/);
  });
});
