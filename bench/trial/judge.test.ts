import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder, removeFolder, writeTree } from '../../e2e/harness/folders.ts';
import { treeOf, wrongEnd, wrongFiles } from './judge.ts';
import { tasks } from './tasks.ts';

test('the judge of the trial sees each byte on the disk', () => {
  const folder = makeFolder('judge');
  onTestFinished(() => removeFolder(folder));
  writeTree(folder, { 'a.js': 'a\n', 'lib/b.js': 'b\n', 'gone.js': 'x', 'bin/raw': new Uint8Array([255, 0, 13]) });
  const wanted = treeOf(folder);
  expect(wrongFiles(wanted, treeOf(folder))).toEqual([]);
  writeFileSync(join(folder, 'lib/b.js'), 'b\r\n');
  writeFileSync(join(folder, 'bin/raw'), new Uint8Array([254, 0, 13]));
  writeFileSync(join(folder, 'more'), '');
  rmSync(join(folder, 'gone.js'));
  expect(wrongFiles(wanted, treeOf(folder)).toSorted()).toEqual([
    'bin/raw holds other bytes',
    'gone.js is missing',
    'lib/b.js holds other bytes',
    'more should not be there',
  ]);
});

test('the judge of the trial takes no other outcome, exit code or number of requests', () => {
  const answered = tasks.find(({ requests }) => requests === 1);
  const undone = tasks.find(({ outcome }) => outcome === 'incomplete');
  if (!answered || !undone) throw new Error('The trial has no such tasks.');
  const ended = (outcome: string, replies: number) => ({
    out: [...Array(replies).fill({ type: 'message', role: 'assistant' }), { type: 'end', outcome }]
      .map((event) => JSON.stringify({ event }))
      .join('\n'),
    err: '',
  });
  expect(wrongEnd(answered, 'phased', { code: 0, ...ended('answered', 1) })).toEqual([]);
  expect(wrongEnd(answered, 'phased', { code: 1, ...ended('done', 3) })).toEqual([
    'the outcome is done, not answered: ',
    'the exit code is 1, not 0',
    '3 requests, not 1',
  ]);
  expect(wrongEnd(undone, 'direct', { code: 0, ...ended('done', 2) })).toEqual([
    'the outcome is done, not incomplete: ',
    'the exit code is 0, not 1',
  ]);
});
