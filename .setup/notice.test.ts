import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeFile, stalePage } from './madePage.ts';
import { noticeLines } from './notice.ts';

const file = join(import.meta.dirname, '..', 'NOTICE');
const start = 'Packages that a build brings along, with their licences:\n';

// VISE_UPDATE_DOCS=1 npx vitest run notice.test     writes the list anew
test('NOTICE lists each package that a build brings along', () => {
  const text = readFileSync(file, 'utf8');
  const made = `${text.slice(0, text.indexOf(start) + start.length)}${noticeLines().join('\n')}\n`;
  const { written, fresh } = madeFile(file, made);
  expect(written, stalePage).toBe(fresh);
});

test('each of them has a licence that allows it', () => {
  const allowed =
    /: \(?(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|Python-2\.0|.*\bOR\b.*)\)?$/;
  expect(noticeLines().length).toBeGreaterThan(50);
  expect(noticeLines().filter((line) => !allowed.test(line))).toEqual([]);
});
