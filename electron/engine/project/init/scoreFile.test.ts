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
])('%s of %d bytes scores %d', (path, size, score) => {
  expect(scoreFile(path, size)).toBe(score);
});
