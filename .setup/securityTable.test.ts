import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madePage, stalePage } from './madePage.ts';
import { securityTable } from './securityTable.ts';

const root = join(import.meta.dirname, '..');

// VISE_UPDATE_DOCS=1 npx vitest run Table.test     writes the tables of all pages anew
test('the table of docs/security.md names the tests that are there', () => {
  const { written, fresh } = madePage('security.md', '.setup/securityTable.ts', securityTable(root));
  expect(written, stalePage).toBe(fresh);
});
