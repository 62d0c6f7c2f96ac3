import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeFile, stalePage } from '../../.setup/madePage.ts';
import { manPage } from '../../.setup/manPage.ts';
import { commonFlags, exitWords } from './base/helpPages.ts';
import { version } from './base/version.ts';
import { commands } from './commands.ts';

const page = join(import.meta.dirname, '..', '..', 'resources', 'vise.1');
const hasMan = spawnSync('groff', ['--version']).status === 0;

// VISE_UPDATE_DOCS=1 npx vitest run Table.test     writes it anew
test('the manual page tells each command and flag as it is', () => {
  const made = manPage({ version, commands, commonFlags, exitCodes: exitWords });
  const { written, fresh } = madeFile(page, made);
  expect(written, stalePage).toBe(fresh);
});

test.skipIf(!hasMan)('groff reads the manual page without a warning', () => {
  const read = spawnSync('groff', ['-man', '-Tutf8', '-ww', page], { encoding: 'utf8' });
  expect({ status: read.status, stderr: read.stderr }).toEqual({ status: 0, stderr: '' });
  expect(read.stdout).toContain('git diff | vise exec');
});
