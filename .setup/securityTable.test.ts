import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { securityTable } from './securityTable.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs', 'security.md');
const start = '<!-- table: made by .setup/securityTable.ts -->';

// VISE_UPDATE_DOCS=1 npx vitest run .setup/securityTable     writes the table anew
test('the table of docs/security.md names the tests that are there', () => {
  const text = readFileSync(page, 'utf8');
  const head = text.slice(0, text.indexOf(start) + start.length);
  const fresh = `${head}\n${securityTable(root)}\n`;
  if (process.env['VISE_UPDATE_DOCS'] === '1') writeFileSync(page, fresh);
  expect(readFileSync(page, 'utf8')).toBe(fresh);
});
