import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withEscapes } from './oneByte.ts';
import { root } from './project.mjs';

const load = async (code: string): Promise<{ readonly made: unknown }> =>
  (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { readonly made: unknown };

test('texts, templates, expressions and names mean the same with escapes', async () => {
  const code =
    'const größe=1,ω="…😀";export const made=[größe,ω,`→${"é"}`,/^[“”😀]$/u.test("😀"),/^[、。]+$/.exec("、。")?.[0],{"键":2}]';
  const escaped = withEscapes(code);
  expect([/[^\0-\xff]/.test(escaped), (await load(escaped)).made]).toEqual([false, (await load(code)).made]);
});

test('a raw template keeps its characters', () => {
  expect(withEscapes('String.raw`\\d…`')).toBe('String.raw`\\d…`');
});

test('what every start and every task loads is held in one byte a character', () => {
  const host = join(root, 'out', 'host');
  const files = readdirSync(host).filter((name) => /^(?:start|work|chatDialect)-[\w-]{8}\.js$/.test(name));
  const wide = files.filter((name) => /[^\0-\xff]/.test(readFileSync(join(host, name), 'utf8')));
  expect([files.length, wide]).toEqual([3, []]);
});
