import { describe, expect, test } from 'vitest';
import { buildArgv } from './buildArgv.ts';
import type { CliSpec, SpecArg, SpecCommand, SpecFlag } from './specTypes.ts';
import { sampleCommand, sampleSpec } from './testing/sampleSpec.ts';

const flag = (name: string, changes: Partial<SpecFlag> = {}): SpecFlag => ({
  name,
  description: 'd',
  required: false,
  type: 'string',
  ...changes,
});
const arg = (name: string, changes: Partial<SpecArg> = {}): SpecArg => ({
  name,
  description: 'd',
  required: false,
  type: 'string',
  ...changes,
});

function argv(command: Partial<SpecCommand>, input: Record<string, unknown>, spec: Partial<CliSpec> = {}): unknown {
  const whole = sampleCommand(command);
  const built = buildArgv(sampleSpec({ commands: [whole], ...spec }), whole, input);
  return built.ok ? built.value.args : built.error.message;
}

describe('buildArgv', () => {
  test('puts the command, global flags, its flags and positionals in the order of the spec', () => {
    const command = {
      name: 'remote add',
      flags: [flag('b'), flag('a', { type: 'boolean' })],
      args: [arg('x'), arg('y', { type: 'number' })],
    };
    const input = { y: 2, x: '1', a: true, b: 'v w', g: 5 };
    expect(argv(command, input, { globalFlags: [flag('g', { type: 'number' })] })).toEqual([
      'remote',
      'add',
      '--g',
      '5',
      '--b',
      'v w',
      '--a',
      '1',
      '2',
    ]);
  });

  test('adds no word for run, no false flag and no default', () => {
    expect(
      argv({ name: 'run', flags: [flag('q', { type: 'boolean' }), flag('d', { default: 'x' })] }, { q: false }),
    ).toEqual([]);
  });

  test('a global flag that the command has too is given once', () => {
    expect(argv({ flags: [flag('db')] }, { db: 'x' }, { globalFlags: [flag('db')] })).toEqual(['list', '--db', 'x']);
  });

  test('a flag with one dash has its value behind it, glued where it begins with a dash', () => {
    const flags = [flag('n', { dashes: 1, type: 'number' }), flag('q', { dashes: 1, type: 'boolean' })];
    expect(argv({ flags }, { n: 5, q: true })).toEqual(['list', '-n', '5', '-q']);
    expect(argv({ flags: [flag('x', { dashes: 1, repeated: true })] }, { x: ['-1', 'a'] })).toEqual([
      'list',
      '-x-1',
      '-x',
      'a',
    ]);
  });

  test('lists are repeated', () => {
    const command = { flags: [flag('e', { repeated: true })], args: [arg('files', { repeated: true })] };
    expect(argv(command, { e: ['1', '2'], files: ['a', 'b'] })).toEqual(['list', '--e', '1', '--e', '2', 'a', 'b']);
  });

  test.each([
    ['joined by an equals sign', { separator: 'equals' }, 'v', ['--f=v']],
    ['alone where its value may be left out', { separator: 'equals', valueOptional: true }, '', ['--f']],
    ['with an empty value otherwise', { separator: 'equals' }, '', ['--f=']],
    ['with its no, where it has one', { type: 'boolean', negatable: true }, false, ['--no-f']],
    ['as false, where it is joined', { type: 'boolean', separator: 'equals' }, false, ['--f=false']],
    [
      'with two words each time',
      { values: 2, repeated: true },
      ['a', '1', 'b', '2'],
      ['--f', 'a', '1', '--f', 'b', '2'],
    ],
    ['not with half of them', { values: 2, repeated: true }, ['a'], 'f takes 2 values each time'],
    ['as often as it stands in a list', { type: 'boolean', repeated: true }, [true, true], ['--f', '--f']],
    ['once where a repeated switch is no list', { type: 'boolean', repeated: true }, true, ['--f']],
  ] as const)('a flag is given %s', (_, changes, value, words) => {
    const given = argv({ flags: [flag('f', changes)] }, { f: value });
    expect(given).toEqual(typeof words === 'string' ? words : ['list', ...words]);
  });

  test('global flags stand before the command where the program reads them there', () => {
    const spec = { globalFlags: [flag('dir')], globalFlagsFirst: true };
    expect(argv({ args: [arg('x')] }, { dir: '/a', x: '-1' }, spec)).toEqual(['--dir', '/a', 'list', '--', '-1']);
  });

  test('a command for another program stands behind --, and there alone dashes are free', () => {
    const command = { args: [arg('pod'), arg('args', { repeated: true, afterDashes: true })] };
    expect([
      argv(command, { pod: 'web', args: ['ls', '-l'] }),
      argv(command, { pod: 'web' }),
      argv(command, { pod: '--all', args: ['ls'] }),
    ]).toEqual([
      ['list', 'web', '--', 'ls', '-l'],
      ['list', 'web'],
      ['list', '--', '--all', 'ls'],
    ]);
  });

  test('J4: a value that begins with a dash cannot become a flag', () => {
    const command = { flags: [flag('m')], args: [arg('path')] };
    expect(argv(command, { m: '--amend', path: '--output=/etc/passwd' })).toEqual([
      'list',
      '--m=--amend',
      '--',
      '--output=/etc/passwd',
    ]);
  });

  test('J4: unless the spec says that the binary does not know --', () => {
    expect(argv({ args: [arg('path')] }, { path: '-x' }, { noDoubleDash: true })).toEqual(['list', '-x']);
  });

  test('J4: shell syntax and line breaks stay one word', () => {
    expect(argv({ args: [arg('q')] }, { q: '$(id); `id`\n| x "y" {{z}}' })).toEqual([
      'list',
      '$(id); `id`\n| x "y" {{z}}',
    ]);
  });

  test.each([
    ['a NUL', { q: 'a\0b' }, 'q must not have a NUL character'],
    ['a missing value', {}, 'q is required'],
    ['the wrong type', { q: 5 }, 'q must be a string'],
    ['an infinite number', { q: 'x', n: Infinity }, 'n must be a finite number'],
    ['a word outside the enum', { q: 'x', e: 'c' }, 'e must be one of "a", "b"'],
    [
      'a gap between positionals',
      { q: 'x', third: 'z' },
      'second is needed when third is given, since both are told by their place',
    ],
    ['one where a list belongs', { q: 'x', many: 'a' }, 'many must be an array'],
  ])('refuses %s', (_, input, message) => {
    const command = {
      flags: [flag('n', { type: 'number' }), flag('e', { enum: ['a', 'b'] }), flag('many', { repeated: true })],
      args: [arg('q', { required: true }), arg('second'), arg('third')],
    };
    expect(argv(command, input)).toBe(message);
  });

  test('an argument may go to stdin instead', () => {
    const command = sampleCommand({ name: 'run', args: [arg('filter'), arg('text')], stdin: 'text' });
    expect(buildArgv(sampleSpec({ commands: [command] }), command, { filter: '.', text: '{}' })).toEqual({
      ok: true,
      value: { args: ['.'], stdin: '{}' },
    });
  });
});
