import { expect, test } from 'vitest';
import type { SpecView } from '../../../shared/contract/specApi.ts';
import { buttonsOf, markupOf, textOf } from '../../testing/markup.tsx';
import { SpecCard } from './SpecCard.tsx';

const spec: SpecView = {
  name: 'deploy',
  source: 'project',
  path: '.cli-bridge/specs/deploy/1.json',
  hash: 'h',
  trust: 'asked',
  description: 'Ships it',
  binary: './bin/deploy',
  binaryInProject: true,
  triggers: { positive: [], negative: [] },
  commands: [{ name: 'run', description: '', usage: '', args: [], flags: [] }],
  warnings: [{ path: 'commands.0', message: 'has no description' }],
};
const draw = (more: Partial<SpecView>): string =>
  markupOf(<SpecCard spec={{ ...spec, ...more }} busy={false} onTrust={() => undefined} onLevel={() => undefined} />);

test('a spec of the project says what it is, why to look twice, and that nothing of it runs yet', () => {
  const text = textOf(draw({}));
  for (const told of [
    'not trusted yet',
    'of this project',
    '1 command',
    'Nothing of it runs',
    'lies inside the project',
    'commands.0 has no description',
  ])
    expect(text).toContain(told);
  expect(buttonsOf(draw({}))).toEqual(['Trust: deploy (not now)', '1 command : deploy']);
});

test('trust can be withdrawn where it was given, and only for specs of the project', () => {
  expect(buttonsOf(draw({ trust: 'trusted' }))[0]).toBe('Withdraw trust: deploy (not now)');
  expect(buttonsOf(draw({ trust: 'bundled', source: 'bundled' }))).toEqual(['1 command : deploy']);
});
