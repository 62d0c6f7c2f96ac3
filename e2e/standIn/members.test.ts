import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** The values that the desktop's sources import from `electron`; types are no members. */
function importedMembers(): readonly string[] {
  const files = [
    'electron/main.ts',
    ...readdirSync(join(root, 'electron', 'main')).map((name) => `electron/main/${name}`),
  ];
  const names = files
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/import \{([^}]*)\} from 'electron'/g)])
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
  return [...new Set(names)].toSorted();
}

test('the stand-in has the members that the desktop imports, and no others', () => {
  const text = readFileSync(join(import.meta.dirname, 'electron.ts'), 'utf8');
  const declared = [...text.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
  const passedOn = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim()),
  );
  const members = [...declared, ...passedOn].filter((name) => name !== '').toSorted();
  // The updater's package asks servers through `net`.
  expect(members).toEqual([...importedMembers(), 'net'].toSorted());
  expect(members.length).toBeGreaterThan(10);
});
