import { expect, test } from 'vitest';
import { testBench } from '../../engine/testing/engineForTest.ts';
import { completeLine } from './completeLine.ts';

test('Tab completes commands at the beginning of a line, and mentions anywhere', async () => {
  const bench = testBench({ 'src/parser.ts': 'export class Parser {}\n', 'my notes.txt': '', 'a.txt': '' });
  const session = await bench.session([]);
  const { client, project } = bench;
  const complete = (line: string) => completeLine(line, { client, project, session: session.id });
  expect(await complete('/se')).toEqual({ choices: ['/session', '/sessions', '/search'], part: '/se' });
  expect(await complete('/search pa')).toEqual({ choices: [], part: '/search pa' });
  expect(await complete('look at @src/p')).toEqual({ choices: ['@src/parser.ts'], part: '@src/p' });
  expect(await complete('@symbol:Pars')).toEqual({ choices: ['@symbol:Parser'], part: '@symbol:Pars' });
  expect(await complete('see @"my n')).toEqual({ choices: ['@"my notes.txt"'], part: '@"my n' });
  expect(await complete('mail me@a')).toEqual({ choices: [], part: 'mail me@a' });
  expect(await complete('')).toEqual({ choices: [], part: '' });
});

test.skipIf(process.platform === 'win32')(
  'C8: offers no name that a terminal would obey (POSIX only: such names)',
  async () => {
    const bench = testBench({ 'plain.txt': '', 'pl\u001B]52;c;aGk=\u0007.txt': '', 'pl\nain.txt': '' });
    const session = await bench.session([]);
    const { client, project } = bench;
    expect(await completeLine('@pl', { client, project, session: session.id })).toEqual({
      choices: ['@plain.txt'],
      part: '@pl',
    });
  },
);
