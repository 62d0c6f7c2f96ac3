import { realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { projectMap } from './projectMap.ts';

describe('project_map', () => {
  test('shows folders and files in order, without what is ignored', async () => {
    const root = testFolder({ 'b.txt': '', 'a/c/d/e.txt': '', 'a/b.ts': '', 'node_modules/x': '', '.git/config': '' });
    symlinkSync('a', path.join(root, 'link'));
    expect(await (await tryIn(root)).tool(projectMap, {})).toEqual({
      success: true,
      data: {
        root: realpathSync(root),
        tree: 'a/\n  b.ts\n  c/\n    d/\nb.txt\nlink\n',
        nodes: [
          {
            path: 'a',
            type: 'directory',
            children: [
              { path: 'a/b.ts', type: 'file' },
              { path: 'a/c', type: 'directory', children: [{ path: 'a/c/d', type: 'directory' }] },
            ],
          },
          { path: 'b.txt', type: 'file' },
          { path: 'link', type: 'symlink' },
        ],
        fileCount: 3,
        directoryCount: 3,
        truncated: false,
        ignored: { count: 1, paths: ['node_modules/'] },
      },
      warnings: ['Left out as ignored: node_modules/'],
    });
  });

  test('depth 1 is what lies in the root', async () => {
    const trial = await tryIn(testFolder({ 'a/b': '', c: '' }));
    expect(await trial.tool(projectMap, { maxDepth: 1 })).toMatchObject({ data: { tree: 'a/\nc\n' } });
  });

  test('2000 entries are shown, and that there are more', async () => {
    const trial = await tryIn(testFolder(Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`f${i}`, '']))));
    expect(await trial.tool(projectMap, {})).toMatchObject({ data: { fileCount: 2000, truncated: true } });
  });

  test('each refusal has its code, and no permission is needed', async () => {
    const trial = await tryIn(testFolder({ a: '' }));
    for (const maxDepth of [0, 11, 1.5, '3'])
      expect(await trial.tool(projectMap, { maxDepth })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    const stopped = await trial.tool(projectMap, {}, { signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ error: { code: 'CANCELLED' } });
    expect((await trial.plan(projectMap, {})).intent.risk).toBe('none');
  });
});
