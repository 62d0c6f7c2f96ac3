import { expect, test } from 'vitest';
import { madePage, stalePage } from './madePage.ts';
import { settingTable } from './settingTable.ts';

// VISE_UPDATE_DOCS=1 npx vitest run Table.test     writes the tables of all pages anew
test('docs/settings.md tells each setting of the schema as it is', () => {
  const { written, fresh } = madePage('settings.md', '.setup/settingTable.ts', settingTable());
  expect(written, stalePage).toBe(fresh);
});

test('each setting has a name, a type, a default and a meaning', () => {
  const rows = settingTable().split('\n').slice(2);
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => /undefined|anything|\| {2}\|/.test(row))).toEqual([]);
});
