import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { estimateTable, truthTable } from '../engine/shell/testing/truthTable.ts';
import { main } from './main.ts';
import { createTestIo } from './testing/testIo.ts';

const corpora = process.env['VISE_CORPORA'] ?? join(import.meta.dirname, '../../../shared/corpora');

/** One answer for each question, in their order. */
async function inspect(what: string, questions: readonly object[]): Promise<readonly Record<string, unknown>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vise-inspect-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const stdin = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const io = createTestIo(folder, stdin, { VISE_HOME: join(folder, 'home') });
  expect([await main(['inspect', what, '-'], io), io.printed.err]).toEqual([0, '']);
  const answers = io.printed.out.split('\n').slice(0, -1);
  expect(answers.length).toBe(questions.length);
  return answers.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const windows = process.platform === 'win32';

describe.skipIf(windows)(`vise inspect shell${windows ? ' (POSIX only: it reads as this system does)' : ''}`, () => {
  test('gives each row of the truth table of shell and direct commands', async () => {
    const answers = await inspect(
      'shell',
      truthTable.map(([, command]) => ({ command })),
    );
    const modes = { S: 'shell', D: 'direct', E: 'error' } as const;
    expect(answers.map(({ mode }, row) => [truthTable[row]?.[1], mode])).toEqual(
      truthTable.map(([, command, expected]) => [command, modes[expected]]),
    );
  });

  test('gives each recorded estimate', async () => {
    const answers = await inspect(
      'shell',
      estimateTable.map(([command]) => ({ command })),
    );
    expect(answers.map(({ estimate }, row) => [estimateTable[row]?.[0], estimate])).toEqual(estimateTable);
  });
});

const screens = join(corpora, 'terminal/xterm-escape');
const missing = !existsSync(screens);
const trimmed = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();

describe.skipIf(missing)(`vise inspect terminal${missing ? ' (skipped: no corpora folder)' : ''}`, () => {
  test('gives each recorded screen, and no file is passed over', async () => {
    const recorded = JSON.parse(readFileSync(join(corpora, 'terminal/xterm-headless-result.json'), 'utf8')) as Record<
      string,
      boolean
    >;
    const names = readdirSync(screens).filter((name) => name.endsWith('.in'));
    expect(names.toSorted()).toEqual(Object.keys(recorded).toSorted());
    const answers = await inspect(
      'terminal',
      names.map((name) => ({ bytes: readFileSync(join(screens, name)).toString('base64'), cols: 80, rows: 25 })),
    );
    const same = names.map((name, row) => {
      const screen = readFileSync(join(screens, name.replace(/\.in$/, '.text')), 'utf8');
      return [name, trimmed(String(answers[row]?.['text'])) === trimmed(screen)];
    });
    expect(Object.fromEntries(same)).toEqual(recorded);
  });
});
