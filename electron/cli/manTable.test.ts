import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { madeFile, stalePage } from '../../.setup/madePage.ts';
import { manPage } from '../../.setup/manPage.ts';
import { commonFlags, exitWords } from './base/helpPages.ts';
import { version } from './base/version.ts';
import { commands } from './commands.ts';

const root = join(import.meta.dirname, '..', '..');
const page = join(root, 'resources', 'vise.1');
const hasMan = spawnSync('groff', ['--version']).status === 0;

// VISE_UPDATE_DOCS=1 npx vitest run Table.test     writes it anew
test('the manual page tells each command and flag as it is', () => {
  const made = manPage({ version, commands, commonFlags, exitCodes: exitWords });
  const { written, fresh } = madeFile(page, made);
  expect(written, stalePage).toBe(fresh);
});

test('npm, deb and rpm install the manual page', () => {
  const { man, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly man: readonly string[];
    readonly files?: readonly string[];
  };
  expect({ man, files }).toEqual({ man: [relative(root, page)], files: undefined });
  const builder = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
  const packed = [...builder.matchAll(/^(deb|rpm):\n {2}fpm: \[(\S+?)=(\S+)\]$/gm)].map((found) => found.slice(1));
  const place = '/usr/share/man/man1/vise.1';
  expect(packed).toEqual([
    ['deb', relative(root, page), place],
    ['rpm', relative(root, page), place],
  ]);
});

test.skipIf(!hasMan)('groff reads the manual page without a warning', () => {
  const read = spawnSync('groff', ['-man', '-Tutf8', '-ww', page], { encoding: 'utf8' });
  expect({ status: read.status, stderr: read.stderr }).toEqual({ status: 0, stderr: '' });
  expect(read.stdout).toContain('git diff | vise exec');
});
