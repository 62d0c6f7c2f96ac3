import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIgnoreScope } from './ignore.ts';
import { testFolder, writeFiles } from './testing/testFolder.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

const cases: readonly (readonly [string, readonly string[]])[] = [
  ['*.o\n!keep.o\n', ['a.o', 'keep.o', 'd/a.o', 'd/keep.o']],
  ['/top\nsub/inner\n', ['top', 'd/top', 'sub/inner', 'd/sub/inner']],
  ['foo/\n', ['foo/x', 'd/foo/x', 'foo2']],
  ['a/**/z\n**/q\nw/**\n', ['a/z', 'a/b/z', 'a/b/c/z', 'q', 'd/q', 'w/1', 'w/2/3']],
  ['# comment\n\\#file\n\\!bang\ntrail \nspace\\ \n', ['#file', '!bang', 'trail', 'trail ', 'space ', 'comment']],
  ['d/\n!d/x\n', ['d/x', 'd/y']],
  ['d/*\n!d/x\n', ['d/x', 'd/y']],
  ['[ab]?.t\\*t\n*.[!x]\n', ['az.t*t', 'cz.t*t', 'f.y', 'f.x']],
  ['a\\\n', ['a']],
  ['**\n!*/\n!*.md\n', ['r.md', 'd/r.md', 'd/x']],
  ['x**y\n', ['xqy', 'x/q/y', 'xy']],
  ['*.log\r\n!k.log\r\n', ['a.log', 'k.log']],
  ['/*\n!/src\n/src/*\n!/src/a\n', ['b', 'src/a', 'src/b']],
];

function ours(rules: string, file: string): boolean {
  let scope = createIgnoreScope([rules]);
  const names = file.split('/');
  for (const [index, name] of names.entries()) {
    if (scope.ignores(name, index < names.length - 1)) return true;
    scope = scope.enter(name, []);
  }
  return false;
}

function gits(root: string, files: readonly string[]): readonly string[] {
  const done = spawnSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
    cwd: root,
    input: files.join('\0'),
  });
  return done.stdout
    .toString()
    .split('\0')
    .filter((name) => name !== '');
}

test.skipIf(!hasGit).each(cases)('rules %j agree with git (skipped without git)', (rules, files) => {
  const root = testFolder({ '.gitignore': rules, ...Object.fromEntries(files.map((file) => [file, ''])) });
  execFileSync('git', ['init', '-q'], { cwd: root });
  expect(files.filter((file) => ours(rules, file))).toEqual(gits(root, files));
});

test.skipIf(!hasGit)('random rules agree with git (skipped without git)', { timeout: 240_000 }, () => {
  const piece = fc.constantFrom('a', 'b', 'ab', '*', '?', '[ab]', '**', 'a*', '*b', '[!a]');
  const rule = fc
    .tuple(fc.constantFrom('', '!', '/'), fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '/'))
    .map(([start, names, end]) => start + names.join('/') + end);
  const root = testFolder();
  execFileSync('git', ['init', '-q'], { cwd: root });
  const files = ['a', 'b', 'ab', 'd/a', 'd/b', 'd/ab', 'e/a/b', 'e/b/a', 'e/ab/ab', 'aa/bb/ab/a'];
  writeFiles(root, Object.fromEntries(files.filter((file) => file.includes('/')).map((file) => [file, ''])));
  writeFiles(root, { ab: '' });
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 4 }), (rules) => {
      writeFiles(root, { '.gitignore': `${rules.join('\n')}\n` });
      expect(files.filter((file) => ours(rules.join('\n'), file))).toEqual(gits(root, files));
    }),
    { numRuns: 150 },
  );
});

test('folders of dependencies can be taken back, the state folders never; results of builds are what git says', () => {
  const scope = createIgnoreScope(['!venv\n!.git\n!.vise\n']);
  expect([
    scope.ignores('venv', true),
    scope.ignores('node_modules', true),
    scope.ignores('build', true),
    scope.ignores('.git', true),
    scope.ignores('.vise', true),
    scope.ignores('.GIT', true),
  ]).toEqual([false, true, false, true, true, true]);
});
