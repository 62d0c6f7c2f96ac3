import { describe, expect, test } from 'vitest';
import type { SpecCommand, SpecFlag } from './specTypes.ts';
import { sampleCommand, sampleSpec } from './testing/sampleSpec.ts';
import { validateSpec } from './validateSpec.ts';

const flag = (changes: Partial<SpecFlag> = {}): SpecFlag => ({
  name: 'x',
  description: 'd',
  required: false,
  type: 'string',
  ...changes,
});
const withCommand = (changes: Partial<SpecCommand>) => sampleSpec({ commands: [sampleCommand(changes)] });

const strictOnly = [
  [
    'a pattern whose only bracket is not a group',
    sampleSpec({ versionDetection: { command: 'v', pattern: '\\(1' } }),
    'versionDetection.pattern',
  ],
  ['two commands of one name', sampleSpec({ commands: [sampleCommand(), sampleCommand()] }), 'commands[1].name'],
  ['a command name that is an option', withCommand({ name: '--exec' }), 'commands[0].name'],
  ['a default that does not fit', withCommand({ flags: [flag({ default: 5 })] }), 'commands[0].flags[0].default'],
  ['an enum that does not fit', withCommand({ flags: [flag({ enum: [1] })] }), 'commands[0].flags[0].enum'],
  [
    'a required argument after an optional one',
    withCommand({ args: [flag({ name: 'a' }), flag({ name: 'b', required: true })] }),
    'commands[0].args[1].required',
  ],
  [
    'a repeated argument in the middle',
    withCommand({ args: [flag({ name: 'a', repeated: true }), flag({ name: 'b' })] }),
    'commands[0].args[0].repeated',
  ],
  [
    'a name for both an argument and a flag',
    withCommand({ args: [flag()], flags: [flag()] }),
    'commands[0].flags[0].name',
  ],
  [
    '21 triggers',
    sampleSpec({ triggers: { positive: Array.from({ length: 21 }, () => 't'), negative: ['n'] } }),
    'triggers.positive',
  ],
] as const;

describe('validateSpec', () => {
  test.each(strictOnly)('%s is a warning for the specs of others and an error for our own', (_, spec, path) => {
    const [foreign, own] = [validateSpec(spec), validateSpec(spec, true)];
    expect([
      foreign.ok,
      foreign.warnings.map((issue) => issue.path),
      own.ok ? [] : own.errors.map((issue) => issue.path),
    ]).toEqual([true, [path], [path]]);
  });

  test('J5: a huge pattern is refused', () => {
    const check = validateSpec(sampleSpec({ versionDetection: { command: 'v', pattern: `(${'a'.repeat(1_000)})` } }));
    expect(check.ok ? [] : check.errors).toEqual([
      { path: 'versionDetection.pattern', message: 'Must not exceed 1000 characters' },
    ]);
  });

  test('unknown properties are kept', () => {
    const check = validateSpec({ ...sampleSpec(), colour: 'red' });
    expect(check.ok && 'colour' in check.spec).toBe(true);
  });
});
