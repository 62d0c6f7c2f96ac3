import { expect, test } from 'vitest';
import { mentionsOf } from './mentions.ts';

test.each<[string, readonly string[]]>([
  ['look at @src/a.ts and @README.md.', ['src/a.ts', 'README.md']],
  ['@"my file.txt", please', ['my file.txt']],
  ['(@a.ts) [@b.ts]: "@c.ts"', ['a.ts', 'b.ts', 'c.ts']],
  ['mail me@example.org about pkg@1.2', []],
  ['the folder @src/ twice: @src/', ['src']],
  ['@ alone, and @.', []],
  ['全部 @源/文件.ts。', ['源/文件.ts。']],
  ['@a@b', ['a']],
])('%j mentions %j', (text, paths) => {
  expect(mentionsOf(text)).toEqual(paths);
});
