import { describe, expect, test } from 'vitest';
import { batchCommandLine, splitWindowsWords } from './parse/windowsWords.ts';
import { shellMode } from './shellMode.ts';
import { truthTable } from './testing/truthTable.ts';

const letter = { shell: 'S', direct: 'D', error: 'E' } as const;

describe('shellMode on POSIX', () => {
  test.each(truthTable)('row %i: %j is %s', (_row, command, expected) => {
    expect(letter[shellMode(command, 'linux').mode]).toBe(expected);
  });

  test.each([
    ['echo "a \\$b \\"c\\" \\n"', ['echo', 'a $b "c" \\n']],
    ['echo \\; x', ['echo', ';', 'x']],
    ['echo a\\\nb', ['echo', 'ab']],
    ["git log --format='%h|%s'", ['git', 'log', '--format=%h|%s']],
    ['echo "" \'\' a""b', ['echo', '', '', 'ab']],
    ['curl https://h/?a=1&b=2', ['curl', 'https://h/?a=1&b=2']],
  ])('%j splits into words without its quotes', (command, argv) => {
    expect(shellMode(command, 'linux')).toEqual({ mode: 'direct', argv });
  });

  test('a quote inside a here-document opens nothing, one after it does', () => {
    expect(shellMode("cat <<'E'\nit's\nE\necho 'open", 'linux')).toEqual({
      mode: 'error',
      message: 'unterminated quote',
    });
  });

  test.each([
    `echo "$(echo '"')"`,
    'echo "`echo \'"\'`"',
    `echo "a $(printf '%s' "it's")"`,
    'echo "$(echo "$(echo ")")")"',
    'echo "$(echo \\")"',
    'echo "$(ls # it\'s\n)"',
  ])('the quotes inside a substitution are its own: %s', (command) => {
    expect(letter[shellMode(command, 'linux').mode]).toBe('S');
  });

  test.each(['echo "$(ls', 'echo "$(echo \')', 'echo "`ls'])(
    'what has no end is an error all the same: %s',
    (command) => {
      expect(shellMode(command, 'linux')).toEqual({ mode: 'error', message: 'unterminated quote' });
    },
  );

  test.each([
    ['substitutions without end', `"${'$('.repeat(200_000)}`],
    ['quotes in substitutions in quotes', '"$('.repeat(100_000)],
  ])('%s cost no more than their length', (_what, command) => {
    // A square of this, or a call each, would not come back.
    expect(['shell', 'error']).toContain(shellMode(command, 'linux').mode);
  });

  test('a quoted backslash or name keeps sh from being needed', () => {
    expect(shellMode('echo "\\$HOME"', 'linux')).toEqual({ mode: 'direct', argv: ['echo', '$HOME'] });
  });
});

describe('shellMode on Windows', () => {
  test.each([
    ['git status', 'D'],
    ['dir C:\\Users', 'S'],
    ['type C:\\x.txt', 'S'],
    ['echo %PATH%', 'S'],
    ['git log "--format=%h%s"', 'S'],
    ['"C:\\Program Files\\Git\\bin\\git.exe" status', 'D'],
    ["node -e 'a | b'", 'S'],
    ['node -e "a | b"', 'D'],
    ['a && b', 'S'],
    ['a ^ b', 'S'],
    ['(a)', 'S'],
    ['echo "x', 'E'],
  ] as const)('%j is %s', (command, expected) => {
    expect(letter[shellMode(command, 'win32').mode]).toBe(expected);
  });

  test.each([
    ['"C:\\a b\\x.exe" c:\\d "e f\\\\" g\\"h', ['C:\\a b\\x.exe', 'c:\\d', 'e f\\', 'g"h']],
    ['x "a""b" \'c d\'', ['x', 'a"b', "'c", "d'"]],
  ])('%j splits by the rules of the C runtime', (line, words) => {
    expect(splitWindowsWords(line)).toEqual(words);
  });

  test('arguments of a batch file cannot leave their quotes', () => {
    expect(batchCommandLine(['x.cmd', 'a" & calc'])).toBe('x.cmd ^^^"a\\^^^"^^^ ^^^&^^^ calc^^^"');
  });
});

test.each([
  ['"if" x', 'direct'],
  ["'[[' x", 'direct'],
  ['if x', 'shell'],
  ['"cd" x', 'shell'],
  ["'unset' x", 'shell'],
])('a quoted word of the language is a name, a quoted built-in is still one: %s', (command, mode) => {
  expect(shellMode(command, 'linux').mode).toBe(mode);
});

test('the time goes with the length of a word, not with its square', () => {
  // A square of this would outlast the limit of the test many times over.
  const long = 'x'.repeat(1_000_000);
  expect(shellMode(`${long} https://h/?a ${long}?`, 'linux')).toEqual({ mode: 'shell' });
});
