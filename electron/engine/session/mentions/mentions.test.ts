import { expect, test } from 'vitest';
import { type Mention, mentionsOf, mentionText, readMention } from './mentions.ts';

test.each<[string, readonly string[]]>([
  ['look at @src/a.ts and @README.md.', ['src/a.ts', 'README.md']],
  ['@"my file.txt", please', ['my file.txt']],
  ['(@a.ts) [@b.ts]: "@c.ts"', ['a.ts', 'b.ts', 'c.ts']],
  ['mail me@example.org about pkg@1.2', []],
  ['the folder @src/ twice: @src/', ['src']],
  ['@ alone, and @.', []],
  ['全部 @源/文件.ts。', ['源/文件.ts']],
  ['@a@b', ['a']],
  ['看，@a.ts：@task:t1（@change:last）', ['a.ts', 'task:t1', 'change:last']],
  ['@symbol:src/a.ts#run:12, and @"symbol:my file.ts#run".', ['symbol:src/a.ts#run:12', 'symbol:my file.ts#run']],
])('%j mentions %j', (text, paths) => {
  expect(mentionsOf(text)).toEqual(paths);
});

test.each<[string, Mention]>([
  ['src/a.ts', { kind: 'path', path: 'src/a.ts' }],
  ['src/a.ts:12', { kind: 'path', path: 'src/a.ts', line: 12 }],
  ['src/a.ts:12:3', { kind: 'path', path: 'src/a.ts', line: 12 }],
  ['a b.ts:12-20', { kind: 'path', path: 'a b.ts', line: 12, endLine: 20 }],
  ['src/a.ts:20-12', { kind: 'path', path: 'src/a.ts', line: 20, endLine: 20 }],
  ['a.ts#L3', { kind: 'path', path: 'a.ts', line: 3 }],
  ['a.ts#L3-L9', { kind: 'path', path: 'a.ts', line: 3, endLine: 9 }],
  ['a.ts:0', { kind: 'path', path: 'a.ts:0' }],
  ['a.ts:x', { kind: 'path', path: 'a.ts:x' }],
  ['symbol:', { kind: 'path', path: 'symbol:' }],
  ['Symbol:x', { kind: 'path', path: 'Symbol:x' }],
  ['symbol:run', { kind: 'symbol', name: 'run' }],
  ['symbol:Parser.parse', { kind: 'symbol', name: 'Parser.parse' }],
  ['symbol:src/a.ts#run', { kind: 'symbol', name: 'run', path: 'src/a.ts' }],
  ['symbol:src/a.ts#Parser.parse:12', { kind: 'symbol', name: 'Parser.parse', path: 'src/a.ts', line: 12 }],
  ['symbol:C#/a.cs#run', { kind: 'symbol', name: 'run', path: 'C#/a.cs' }],
  ['task:t1', { kind: 'task', id: 't1' }],
  ['change:last', { kind: 'change', id: 'last' }],
])('%j is read as %j', (mention, read) => {
  expect(readMention(mention)).toEqual(read);
});

test('a mention with a blank is written in quotes, and found again', () => {
  const written = ['a.ts', 'symbol:my file.ts#run'].map(mentionText);
  expect(written).toEqual(['@a.ts', '@"symbol:my file.ts#run"']);
  expect(mentionsOf(written.join(' '))).toEqual(['a.ts', 'symbol:my file.ts#run']);
});
