import { expect, test } from 'vitest';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession, type SessionState } from '../../../shared/model/sessionState.ts';
import { createWorkFolders } from './workFolders.ts';

const touching = (state: SessionState, path: string): SessionState =>
  reduce(state, {
    seq: 1,
    at: '',
    session: 's',
    event: {
      type: 'tool.proposed',
      call: path,
      turn: 't',
      tool: 'x',
      level: 'none',
      input: {},
      intent: {
        risk: 'none',
        effects: ['reads'],
        targets: [{ kind: 'path', path, access: 'read' }],
        summary: '',
        preview: { kind: 'none' },
      },
    },
  });

test('the folders on the way to what was read or written, in the order of their first use', () => {
  const folders = createWorkFolders();
  const first = touching(emptySession, 'a/b/c.txt');
  expect(folders(first)).toEqual(['a', 'a/b', 'a/b/c.txt']);
  const second = ['.', '../x', '/etc/passwd', 'a/d'].reduce(touching, first);
  expect(folders(second)).toEqual(['a', 'a/b', 'a/b/c.txt', 'a/d']);
});

test('they are bounded', () => {
  const many = Array.from({ length: 500 }, (_, index) => `f${index}/x`).reduce(touching, emptySession);
  expect(createWorkFolders()(many)).toHaveLength(100);
});

const result = { success: true, data: null } as const;

test('a file that was read is no folder, but the folders on its way are', () => {
  const read = touching(emptySession, 'a/b.txt');
  const finished = reduce(read, {
    seq: 2,
    at: '',
    session: 's',
    event: { type: 'tool.finished', call: 'a/b.txt', tool: 'x', result, brought: { files: ['b.txt'] } },
  });
  expect(createWorkFolders()(finished)).toEqual(['a']);
  const atRoot = touching(emptySession, 'b.txt');
  const finishedAtRoot = reduce(atRoot, {
    seq: 2,
    at: '',
    session: 's',
    event: { type: 'tool.finished', call: 'b.txt', tool: 'x', result, brought: { files: ['b.txt'] } },
  });
  expect(createWorkFolders()(finishedAtRoot)).toEqual([]);
});
