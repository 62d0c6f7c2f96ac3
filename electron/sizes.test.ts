import { expect, test } from 'vitest';
import { checkSizes } from '../.setup/sizeRules.ts';
import { readSources } from '../.setup/sources.ts';

const report = checkSizes(readSources());

test('no room of the engine and no floor of the renderer is a single file', () =>
  expect(report.singleFiles).toEqual([]));

test('no function is longer than 110 lines', () => expect(report.longFunctions).toEqual([]));

test('a file of more than 300 lines says why in its head', () => expect(report.longFiles).toEqual([]));

const lines = (count: number): string => 'void 0;\n'.repeat(count);

test('the check finds what is too large or alone', () => {
  const planted = {
    'electron/engine/lone/a.ts': 'export const a = 1;',
    'electron/engine/lone/a.test.ts': lines(400),
    'electron/engine/pair/a.ts': `export const make = () => {\n${lines(109)}};`,
    'electron/engine/pair/b.ts': `export function most() {\n${lines(108)}}`,
    'renderer/parts/a.ts': lines(301),
    'renderer/parts/b.ts': `// Long because it is a list of words.\n${lines(301)}`,
    'renderer/parts/c.ts': lines(300),
  };
  expect(checkSizes(Object.entries(planted).map(([path, text]) => ({ path, text })))).toEqual({
    singleFiles: ['electron/engine/lone'],
    longFunctions: ['electron/engine/pair/a.ts make (111 lines)'],
    longFiles: ['renderer/parts/a.ts'],
  });
});
