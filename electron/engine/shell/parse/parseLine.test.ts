import { describe, expect, test } from 'vitest';
import type { Command } from './line.ts';
import { parseLine } from './parseLine.ts';

const words = (command: Command) => [
  ...command.assignments.map(({ name, value }) => `${name}=${value.value}`),
  ...command.argv,
];
const argvs = (text: string) => parseLine(text).commands.map(words);

describe('C1: every simple command is found, wherever it stands', () => {
  test.each<[string, readonly (readonly string[])[]]>([
    ['a; b', [['a'], ['b']]],
    ['a && b || c', [['a'], ['b'], ['c']]],
    ['a | b |& c', [['a'], ['b'], ['c']]],
    ['a & b', [['a'], ['b']]],
    ['a\nb', [['a'], ['b']]],
    ['a\rb', [['a'], ['b']]],
    ['a $(b $(c))', [['a', '$(b $(c))'], ['b', '$(c)'], ['c']]],
    ['a "$(b)"', [['a', '$(b)'], ['b']]],
    ['a `b`', [['a', '`b`'], ['b']]],
    ['a <(b) >(c)', [['a', '<(b)', '>(c)'], ['b'], ['c']]],
    ['a ${x:-$(b)}', [['a', '${x:-$(b)}'], ['b']]],
    ['a $((1 + $(b)))', [['a', '$((1 + $(b)))'], ['b']]],
    ['cat <<E\n$(b)\nE\nc', [['cat'], ['b'], ['c']]],
    ["cat <<'E'\n$(b)\nE\nc", [['cat'], ['c']]],
    ['cat <<-E\n\tx\n\tE\nc', [['cat'], ['c']]],
    ['cat <<A <<B\na\nA\nb\nB\nc', [['cat'], ['c']]],
    ['(a; b)', [['a'], ['b']]],
    ['{ a; b; }', [['a'], ['b']]],
    ['if a; then b; elif c; then d; else e; fi', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['for i in x y; do a $i; done', [['a', '$i']]],
    ['while a; do b; done < f', [['a'], ['b'], []]],
    ['case $x in (p|q) a;; *) b;; esac', [['a'], ['b']]],
    ['f() { a; }; f', [['a'], ['f']]],
    ['function f { a; }', [['a']]],
    ['! a', [['a']]],
    ['time { a; }', [['a']]],
    ['A=1 B=2 a', [['A=1', 'B=2', 'a']]],
    ['export A=1; a', [['export', 'A=1'], ['a']]],
    ['a \\\n && b', [['a'], ['b']]],
    ['a # && b\nc', [['a'], ['c']]],
    ['a#b', [['a#b']]],
    ['\\a "b"\'c\'', [['a', 'bc']]],
    ["$'\\x72m' x", [['rm', 'x']]],
    ['[[ a || reboot ]]', [['a'], ['reboot']]],
    ['[[ x =~ ^(a|b)$ ]] && c', [['x', '=~', '^(a|b)$'], ['c']]],
    ['a {b,c} s@{0} {}', [['a', '{b,c}', 's@{0}', '{}']]],
  ])('%j', (text, expected) => {
    expect({ unparsable: parseLine(text).unparsable, argvs: argvs(text) }).toEqual({
      unparsable: undefined,
      argvs: expected,
    });
  });

  test('redirections say what they write', () => {
    const [command] = parseLine('a 2>&1 >x >>y <z >|w &>v 2>/dev/null >&u <>t').commands;
    expect(command?.redirects.map(({ op, fd, target, write }) => [op, fd, target, write])).toEqual([
      ['>&', 2, '1', false],
      ['>', null, 'x', true],
      ['>>', null, 'y', true],
      ['<', null, 'z', false],
      ['>|', null, 'w', true],
      ['&>', null, 'v', true],
      ['>', 2, '/dev/null', true],
      ['>&', null, 'u', true],
      ['<>', null, 't', true],
    ]);
  });

  test('the place and the pipe of a command are known', () => {
    const { commands } = parseLine('a | (b &)');
    expect(commands.map(({ places, piped }) => ({ places, piped }))).toEqual([
      { places: [], piped: false },
      { places: ['subshell', 'background'], piped: true },
    ]);
  });

  test.each(['a $x', 'a *.ts', 'a ~', 'a {b,c}', 'a $(b)', 'A=$x a', 'a > $x'])(
    '%j holds something that is only known when it runs',
    (text) => {
      expect(parseLine(text).commands[0]?.dynamic).toBe(true);
    },
  );
});

describe('C3: what has no certain meaning is said to be unparsable', () => {
  test.each([
    '',
    'a &&',
    '&& a',
    'a ;; b',
    'a | | b',
    ';a',
    'a "b',
    "a 'b",
    'a $(b',
    'a `b',
    'a ${b',
    '(a',
    'a)',
    'if a; then b',
    'for i in a; b',
    'a >',
    'cat <<E\nx',
    'cat <<E\r\nx\nE\r\n',
    '${ a; }',
    'a\0b',
    'coproc a',
    'cat <<E\nx\nE\r\nb\nE\n',
    "a $'\\'; b #'",
    `a "\${x:-'}'}"`,
    'a &> f b',
    "a $'\\''; b",
    'a "${x:-\'}"',
    'cat <<E "x\ny"\nE\n',
    'cat <<E\nx\\\nE\nb\nE',
    '[[ a',
    `a ${'$('.repeat(40)}b${')'.repeat(40)}`,
  ])('%j', (text) => {
    expect(parseLine(text).unparsable).toEqual(expect.any(String));
  });

  test('more than 10,000 characters', () => {
    expect(parseLine(`a ${'x'.repeat(9_998)}`).unparsable).toBeUndefined();
    expect(parseLine(`a ${'x'.repeat(9_999)}`).unparsable).toBe('it is longer than 10,000 characters');
  });

  test('more than 50 commands', () => {
    const line = (count: number) => Array.from({ length: count }, () => 'a').join(';');
    expect(parseLine(line(50)).unparsable).toBeUndefined();
    expect(parseLine(line(51)).unparsable).toBe('it has more than 50 commands');
  });

  test.each(["a $'b'", 'a\rb', 'a=(1 2)', 'for PATH in x; do a; done', 'a {fd}>x'])(
    '%j is read differently by shells',
    (text) => {
      expect(parseLine(text).ambiguous).toHaveLength(1);
    },
  );
});

describe('lines for cmd.exe', () => {
  const windows = (text: string) => parseLine(text, { platform: 'win32' });

  test.each<[string, readonly (readonly string[])[]]>([
    [
      'dir /b && type "a b.txt"',
      [
        ['dir', '/b'],
        ['type', 'a b.txt'],
      ],
    ],
    ['a & b | c || d', [['a'], ['b'], ['c'], ['d']]],
    ['echo ^& x', [['echo', '&', 'x']]],
    ["echo 'a & b'", [['echo', "'a"], ["b'"]]],
  ])('%j', (text, expected) => {
    expect(windows(text).commands.map(words)).toEqual(expected);
  });

  test('variables are unknown, blocks and loops are not understood', () => {
    expect(windows('del %X%').commands[0]?.dynamic).toBe(true);
    expect(windows('(a)').unparsable).toEqual(expect.any(String));
    expect(windows('for %i in (*) do del %i').unparsable).toEqual(expect.any(String));
    expect(windows('echo a > b').commands[0]?.redirects[0]).toMatchObject({ target: 'b', write: true });
  });
});
