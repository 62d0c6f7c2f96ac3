import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serializedScreen, terminalText } from './terminalText.ts';

const corpora = process.env['VISE_CORPORA'] ?? join(import.meta.dirname, '../../../../shared/corpora');
const folder = join(corpora, 'terminal/xterm-escape');
const missing = !existsSync(folder);

describe.skipIf(missing)(`screens as recorded${missing ? ' (skipped: no corpora folder)' : ''}`, () => {
  const recorded = missing
    ? {}
    : (JSON.parse(readFileSync(join(corpora, 'terminal/xterm-headless-result.json'), 'utf8')) as Record<
        string,
        boolean
      >);
  const names = missing ? [] : readdirSync(folder).filter((name) => name.endsWith('.in') && recorded[name]);

  test.each(names)('%s', async (name) => {
    const expected = readFileSync(join(folder, name.replace(/\.in$/, '.text')), 'utf8');
    const screen = await terminalText(readFileSync(join(folder, name)), 80, 25);
    const trimmed = (text: string): string =>
      text
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .trimEnd();
    expect(trimmed(screen)).toBe(trimmed(expected));
  });
});

describe('serializedScreen', () => {
  test('paints the same screen again', async () => {
    const bytes = Buffer.from('one\n\x1b[31mtwo\x1b[0m\nthree');
    const painted = await serializedScreen(bytes, 40, 10, true);
    expect([await terminalText(Buffer.from(painted), 40, 10), painted.includes('\x1b[31m')]).toEqual([
      await terminalText(bytes, 40, 10),
      true,
    ]);
  });

  test('carries neither clipboard writes nor titles', async () => {
    const painted = await serializedScreen(Buffer.from('a\x1b]52;c;aGk=\x07\x1b]0;evil\x07b'), 40, 10, true);
    expect(painted).toBe('ab');
  });
});
