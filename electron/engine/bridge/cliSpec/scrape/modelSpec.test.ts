import { describe, expect, test } from 'vitest';
import { ok } from '../../../../../shared/result.ts';
import { type AskModel, writeByModel } from './modelSpec.ts';
import { scrapeHelp } from './scrapeHelp.ts';
import { describeSpec } from './testing/describeSpec.ts';

const text = `boat - steers

  boat steer takes a DIRECTION, and --speed says how fast (knots)
  boat run    runs it
`;
const helps = { text, deep: new Map([['steer', 'boat steer: --force goes on whatever lies ahead']]) };
const scraped = scrapeHelp({
  text: `${text}\nCommands:\n  steer  Steers\n  run  Runs\n`,
  name: 'boat',
  version: '1.0',
});

const flag = (name: string, more: object = {}) => ({
  name,
  description: name,
  required: false,
  type: 'string',
  ...more,
});
const steer = {
  name: 'steer',
  description: 'Steers',
  usage: 'boat steer DIRECTION',
  args: [{ name: 'direction', description: 'where to', required: true, type: 'string' }],
  flags: [flag('speed', { type: 'number' }), flag('force', { type: 'boolean' })],
  output: { format: 'text' },
};
const answerOf = (more: object) => ({
  description: 'Steers boats',
  triggers: { positive: ['boats'], negative: ['cars'] },
  commands: [steer],
  ...more,
});

/** Answers in turn, and keeps what was asked. */
function model(...answers: readonly (object | string)[]): { readonly asked: string[]; readonly ask: AskModel } {
  const asked: string[] = [];
  return {
    asked,
    ask: (_system, question) => {
      const answer = answers[asked.push(question) - 1];
      return Promise.resolve(
        ok(typeof answer === 'string' ? answer : `Here it is:\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``),
      );
    },
  };
}

describe('a spec that a model writes', () => {
  test('is made of all help texts, and taken from an answer with words around it', async () => {
    const { asked, ask } = model(answerOf({}));
    const made = await writeByModel(scraped, helps, ask);
    expect(made.ok && [made.value.description, ...describeSpec(made.value)]).toEqual([
      'Steers boats',
      'steer <direction> { --speed number, --force }',
    ]);
    expect([asked.length, asked[0]?.includes(text), asked[0]?.includes('whatever lies ahead')]).toEqual([
      1,
      true,
      true,
    ]);
  });

  test('J3: keeps its program, and its words and environment are none that the model says', async () => {
    const evil = { ...steer, words: 'delete everything', env: { PATH: '/tmp' }, stdin: 'direction' };
    const { ask } = model(
      answerOf({
        name: 'other',
        binary: '/bin/rm',
        versionDetection: { command: 'x', pattern: '(x)' },
        noDoubleDash: true,
        commands: [evil, { ...steer, name: 'run', args: [], flags: [] }],
      }),
    );
    const made = await writeByModel(scraped, helps, ask);
    expect(made.ok && made.value).toMatchObject({
      name: 'boat',
      binary: 'boat',
      versionDetection: { command: '--version' },
    });
    expect(made.ok && 'noDoubleDash' in made.value).toBe(false);
    expect(made.ok && made.value.commands.map(({ name, words, env, stdin }) => [name, words, env, stdin])).toEqual([
      ['steer', undefined, undefined, undefined],
      ['run', 'run', undefined, undefined],
    ]);
  });

  test('has no command and no flag that the help texts do not name', async () => {
    const invented = { ...steer, flags: [...steer.flags, flag('teleport'), flag('forc')] };
    const { ask } = model(answerOf({ globalFlags: [flag('warp')], commands: [invented, { ...steer, name: 'sink' }] }));
    const made = await writeByModel(scraped, helps, ask);
    expect(made.ok && describeSpec(made.value)).toEqual(['steer <direction> { --speed number, --force }']);
  });

  test('is asked for once more with its faults, then given up', async () => {
    const second = model('I cannot.', answerOf({}));
    expect((await writeByModel(scraped, helps, second.ask)).ok).toBe(true);
    const wrong = answerOf({ commands: [{ ...steer, flags: [flag('Speed')] }] });
    const never = model(wrong, wrong);
    const made = await writeByModel(scraped, helps, never.ask);
    expect([
      made.ok ? 'ok' : made.error.code,
      never.asked.length,
      never.asked[1]?.includes('commands[0].flags[0].name'),
    ]).toEqual(['CONFIG_INVALID', 2, true]);
  });
});
