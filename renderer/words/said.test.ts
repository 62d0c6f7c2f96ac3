import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sayWith } from './said.ts';
import { zh } from './zh.ts';
import { zhSentences } from './zhSentences.ts';

test('a sentence of the engine is said in Chinese with its values, the most particular template first', () => {
  expect(
    [
      'Read src/a.ts',
      'Read the page',
      'Search src for a.*b',
      'Delete lines 3 to 9 of a.txt (dry run)',
      'no rule covers it: it defines the function ls',
      'Went back to before the change of a.ts: files only. Read files again before they are relied on.',
      'Nobody has put this into Chinese.',
      '',
    ].map(zh.said),
  ).toEqual([
    '读取 src/a.ts',
    '读取页面',
    '在 src 中搜索 a.*b',
    '删除 a.txt 的第 3 至 9 行（试运行）',
    '没有规则覆盖：它定义了函数 ls',
    '已回到 before the change of a.ts：仅文件。 依赖文件之前请重新读取。',
    'Nobody has put this into Chinese.',
    '',
  ]);
});

test('a value that looks like a mark or a pattern stays as it is', () => {
  const say = sayWith([['Run {} (twice?)', '运行 {}']]);
  expect([say('Run {2} $& (twice?)'), say('Run x (twic)')]).toEqual(['运行 {2} $&', 'Run x (twic)']);
});

test('each template has one place for each value, and no two are alike', () => {
  const holes = (text: string): number => text.match(/\{[\ds]?\}/g)?.length ?? 0;
  expect(zhSentences.filter(([from, to]) => holes(from) !== holes(to))).toEqual([]);
  expect(new Set(zhSentences.map(([from]) => from)).size).toBe(zhSentences.length);
});

test('each template is still what the engine says', () => {
  const engine = join(import.meta.dirname, '../../electron/engine');
  const files = globSync('**/*.ts', { cwd: engine }).filter((file) => !file.endsWith('.test.ts'));
  const said = files.map((file) => readFileSync(join(engine, file), 'utf8')).join('\n');
  // The engine puts some together from up to four parts.
  const isSaid = (piece: string, parts = 4): boolean =>
    said.includes(piece) ||
    (parts > 1 &&
      [...piece.matchAll(/ /g)].some(
        ({ index }) => said.includes(piece.slice(0, index)) && isSaid(piece.slice(index + 1), parts - 1),
      ));
  const gone = zhSentences.filter(
    ([from]) => !from.split(/\{s?\}/).every((piece) => isSaid(piece.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, ''))),
  );
  expect(gone).toEqual([]);
});
