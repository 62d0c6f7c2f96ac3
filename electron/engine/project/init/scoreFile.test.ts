import { expect, test } from 'vitest';
import { scoreFile } from './scoreFile.ts';

test.each([
  ['src/a.ts', 300, 300],
  ['src/empty.ts', 0, 1],
  ['src/main.ts', 300, 100],
  ['src/config.yaml', 300, 100],
  ['README.md', 300, 66],
  ['notes.txt', 300, 200],
  ['src/bundle.min.js', 10, 100_300],
  ['logo.png', 10, 66_866],
  ['node_modules/x/a.js', 10, 50_000],
  ['node_modules/x/a.js', 2000, 100_000],
  ['node_modules/x/a.png', 10, 100_300],
  ['.env.local', 300, 200],
  ['requirements-dev.txt', 300, 200],
  ['requirements*.txt', 300, 66],
  ['lib/go.sum', 10, 100_300],
  ['pnpm-lock.yaml', 300, 66],
  ['src/photo.webp', 300, 300],
  ['src/tool.exe', 300, 300],
  ['src/main.min.js', 300, 103_000],
  ['Makefile', 1, 0],
  ['src\\dist\\a.js', 10, 50_000],
  ['./a.js', 300, 300],
  ['dist', 300, 200],
  ['Dist/a.js', 300, 300],
  ['dist/main.js', 3_000, 50_000],
  ['dist/main.js', 6_000, 100_000],
  ['vendor/a.js', 99_999, 4_999_950],
  ['vendor/a.js', 100_000, 100_000],
  ['.gitignore', 300, 66],
  ['src/.env', 300, 300],
  ['.env/a.py', 300, 50_000],
  ['Readme.md', 300, 200],
])('%s of %d bytes scores %d', (path, size, score) => {
  expect(scoreFile(path, size)).toBe(score);
});
