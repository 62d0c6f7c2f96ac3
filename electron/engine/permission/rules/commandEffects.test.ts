import { expect, test } from 'vitest';
import { commandIntent, context } from '../testing/judge.ts';
import { effectsOf } from './commandEffects.ts';

const told = (command: string, more: Partial<typeof context> = {}) =>
  Object.fromEntries(
    Object.entries(effectsOf(commandIntent(command), { ...context, ...more })).filter(([, names]) => names.length > 0),
  );

test.each([
  ['npm test', {}],
  ['ls -la src', {}],
  ['rm -r build ../other', { deletes: ['build', '/home/u/other'] }],
  ['cd src && sudo rm a.ts', { deletes: ['a.ts', 'src/a.ts'] }],
  ['git clean -fd', {}],
  ['echo x > notes.txt', { writes: ['notes.txt'] }],
  ['cp a ~/.bashrc', { writes: ['/home/u/.bashrc'] }],
  ['curl -o a.tgz https://example.org/a', { writes: ['a.tgz'], hosts: ['example.org'], downloads: ['curl'] }],
  ['git clone git@host.example:a/b.git', { hosts: ['host.example'], downloads: ['git clone'] }],
  ['npm install left-pad', { downloads: ['npm install'] }],
  ['npm -s ci', { downloads: ['npm ci'] }],
  ['bash -c "wget http://a.example/x"', { hosts: ['a.example'], downloads: ['wget'] }],
])('%s tells %j', (command, effects) => expect(told(command)).toEqual(expect.objectContaining(effects)));

test('an ordinary command tells nothing', () => {
  expect([told('npm test'), told('ls -la src'), told('node build.js')]).toEqual([{}, {}, {}]);
});

test('a path is shown with where its link leads', () => {
  const realPath = (path: string): string => (path === '/home/u/proj/out' ? '/srv/www' : path);
  expect(told('rm -r out', { realPath })).toEqual({ deletes: ['out → /srv/www'] });
});

test('of many paths as many are told as a card can show', () => {
  const names = Array.from({ length: 40 }, (_, at) => `f${at}`);
  expect(told(`rm ${names.join(' ')}`)).toEqual({ deletes: names.slice(0, 12) });
});
