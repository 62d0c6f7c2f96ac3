import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { madeFile, stalePage } from '../../../.setup/madePage.ts';
import { protectedPath } from './protectedPath.ts';
import { protectedRows } from './protectedPlaces.ts';

const page = resolve(import.meta.dirname, '../../../docs/protected-places.md');

const made = `# Protected places

Writes to these are asked at every level and under every rule, and so is each command that names one and is not proven to
only read (P12). A name with \`/\` behind it is a folder and everything in it, wherever it lies; \`a/b\` is \`b\` in a folder
\`a\`. Names are compared without case. Made from \`electron/engine/workspace/protectedPlaces.ts\`.

| places | why | source |
|---|---|---|
${protectedRows
  .map(({ places, reason, source }) => {
    const names = places.split(' ').map((place) => `\`${place}\``);
    return `| ${names.join(' ')} | ${reason} | ${source} |`;
  })
  .join('\n')}

Beside them, the folders in which Vise keeps its own configuration and state.
`;

test('the page of protected places is the table that is used', () => {
  const { written, fresh } = madeFile(page, made);
  expect(written, stalePage).toBe(fresh);
});

test.each(protectedRows.flatMap(({ places }) => places.split(' ')))('P12 %s is asked wherever it lies', (place) => {
  const path = place.startsWith('*') ? `x${place.slice(1)}` : place.endsWith('/') ? `${place}x` : place;
  expect(protectedPath(`sub/${path}`)).toEqual(expect.any(String));
});
