import { expect, test } from 'vitest';
import { createFolderWatch } from './folderWatch.ts';

interface Watcher {
  readonly onEvent: () => void;
  readonly onError: () => void;
  isOpen: boolean;
}

function lent(limits: { readonly maxFolders?: number; readonly maxEvents?: number; readonly fails?: string } = {}) {
  const watchers = new Map<string, Watcher>();
  const watch = createFolderWatch({
    maxFolders: limits.maxFolders ?? 100,
    maxEvents: limits.maxEvents ?? 100,
    watch(real, onEvent, onError) {
      if (limits.fails !== undefined && real.endsWith('/fails'))
        throw Object.assign(new Error('no more'), { code: limits.fails });
      const watcher: Watcher = { onEvent, onError, isOpen: true };
      watchers.set(real, watcher);
      return {
        close() {
          watcher.isOpen = false;
        },
      };
    },
  });
  const open = () => [...watchers].filter(([, { isOpen }]) => isOpen).map(([real]) => real);
  return { watch, watchers, open };
}

test('folders in which something changed are told once', () => {
  const { watch, watchers } = lent();
  expect([watch.add('', '/p'), watch.add('a/', '/p/a')]).toEqual([true, true]);
  expect(watch.take()).toEqual(new Set());
  watchers.get('/p/a')?.onEvent();
  watchers.get('/p/a')?.onEvent();
  expect(watch.take()).toEqual(new Set(['a/']));
  expect(watch.take()).toEqual(new Set());
});

test('after more events than are surely all, everything has to be looked at, once', () => {
  const { watch, watchers } = lent({ maxEvents: 2 });
  watch.add('', '/p');
  for (let event = 0; event < 3; event += 1) watchers.get('/p')?.onEvent();
  expect(watch.take()).toBeUndefined();
  watchers.get('/p')?.onEvent();
  expect(watch.take()).toEqual(new Set(['']));
});

test.each(['ENOSPC', 'EMFILE', 'EACCES'])('when a folder cannot be watched (%s), none is', (fails) => {
  const { watch, open } = lent({ fails });
  watch.add('', '/p');
  expect(watch.add('fails/', '/p/fails')).toBe(false);
  expect([watch.take(), open()]).toEqual([undefined, []]);
  expect(watch.add('a/', '/p/a')).toBe(false);
});

test('a folder that has gone meanwhile is told by the one it was in', () => {
  const { watch, open } = lent({ fails: 'ENOENT' });
  watch.add('', '/p');
  expect(watch.add('fails/', '/p/fails')).toBe(false);
  expect([watch.take(), open()]).toEqual([new Set(), ['/p']]);
});

test('no more folders are watched than may be', () => {
  const { watch, open } = lent({ maxFolders: 2 });
  expect(['', 'a/', 'b/'].map((path) => watch.add(path, `/p/${path}`))).toEqual([true, true, false]);
  expect([watch.take(), open()]).toEqual([undefined, []]);
});

test('when watching breaks off, everything has to be looked at from then on', () => {
  const { watch, watchers, open } = lent();
  watch.add('', '/p');
  watch.add('a/', '/p/a');
  watchers.get('/p/a')?.onError();
  expect([watch.take(), watch.take(), open()]).toEqual([undefined, undefined, []]);
});

test('another folder at the same place is watched instead; one that is removed is not', () => {
  const { watch, watchers, open } = lent();
  watch.add('a/', '/p/a');
  const first = watchers.get('/p/a');
  watch.add('a/', '/p/a');
  expect([first?.isOpen, open()]).toEqual([false, ['/p/a']]);
  watch.remove('a/');
  watch.remove('b/');
  expect(open()).toEqual([]);
});
