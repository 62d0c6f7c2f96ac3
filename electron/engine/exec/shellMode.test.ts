import { describe, expect, test } from 'vitest';
import { shellMode } from './shellMode.ts';
import { batchCommandLine, splitWindowsWords } from './shellModeWindows.ts';

/** Spec 001 section 3: S a shell, D direct, E an error. */
const truthTable: readonly (readonly [number, string, 'S' | 'D' | 'E'])[] = [
  [1, 'ls -la /home/user', 'D'],
  [2, 'git status', 'D'],
  [3, 'python script.py --arg value', 'D'],
  [4, "find . -name '*.py'", 'D'],
  [5, "find . -name '*.py' | wc -l", 'S'],
  [6, "echo 'hello' > output.txt", 'S'],
  [7, 'echo a >> f', 'S'],
  [8, 'cat < in.txt', 'S'],
  [9, 'npm install && npm test', 'S'],
  [10, 'cat f || echo no', 'S'],
  [11, 'export FOO=bar; echo $FOO', 'S'],
  [12, 'a;b', 'S'],
  [13, 'echo $(date)', 'S'],
  [14, 'echo `date`', 'S'],
  [15, 'sleep 10 &', 'S'],
  [16, 'sleep 10 & ', 'S'],
  [17, 'make 2>&1', 'S'],
  [18, 'cmd &> all.log', 'S'],
  [19, "cat <<EOF\nit's data\nEOF", 'S'],
  [20, 'diff <(sort a) <(sort b)', 'S'],
  [21, '(cd x; ls)', 'S'],
  [22, 'if true; then ls; fi', 'S'],
  [23, 'grep "a|b" src', 'D'],
  [24, 'echo "a > b"', 'D'],
  [25, "echo 'a && b'", 'D'],
  [26, "git log --format='%h|%s'", 'D'],
  [27, "awk '{print $1}' f", 'D'],
  [28, 'python -c "print(1); print(2)"', 'D'],
  [29, 'echo \\; x', 'D'],
  [30, 'echo "$(date)"', 'S'],
  [31, "echo '$(date)'", 'D'],
  [32, 'sleep 10 & echo done', 'S'],
  [33, 'a&b', 'D'],
  [34, 'curl https://h/?a=1&b=2', 'D'],
  [35, 'curl "https://h/?a=1&b=2"', 'D'],
  [36, 'echo $HOME', 'S'],
  [36, 'echo ${HOME}', 'S'],
  [37, 'echo "$HOME"', 'S'],
  [38, "echo '$HOME'", 'D'],
  [39, 'ls *.ts', 'S'],
  [39, 'ls ?.ts', 'S'],
  [39, 'ls [ab].ts', 'S'],
  [40, 'ls "*.ts"', 'D'],
  [41, 'ls {a,b}.ts', 'D'],
  [42, 'ls ~', 'S'],
  [42, 'cd ~/src', 'S'],
  [43, 'ls a~b', 'D'],
  [44, 'FOO=bar cmd', 'S'],
  [45, 'cd /tmp', 'S'],
  [46, 'source ./env.sh', 'S'],
  [46, '. ./env.sh', 'S'],
  [47, '(ls)', 'S'],
  [48, '{ ls; }', 'S'],
  [49, '[ -f a ]', 'D'],
  [49, 'test -f a', 'D'],
  [50, '[[ -f a ]]', 'S'],
  [51, "echo a # don't", 'S'],
  [52, 'echo a#b', 'D'],
  [53, 'ls\npwd', 'S'],
  [54, 'echo a\\\nb', 'D'],
  [55, 'echo "unterminated', 'E'],
  [56, "sed -i 's/a/b/' f", 'D'],
  [57, "tar czf - . | ssh h 'cat > x'", 'S'],
  [58, 'sudo ls', 'D'],
  [58, 'time ls', 'D'],
  [58, 'nohup ls', 'D'],
  [58, 'env A=1 ls', 'D'],
  [59, 'true', 'D'],
  [59, 'seq 1 3', 'D'],
  [60, 'node -e "console.log(1 > 0)"', 'D'],
  [61, ';ls', 'S'],
  [61, '| ls', 'S'],
  [61, 'ls &&', 'S'],
  [62, '  ', 'E'],
];

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
  expect(shellMode(`${long} https://h/?a ${long}?`, 'linux')).toEqual({ mode: 'shell', why: '?' });
});
