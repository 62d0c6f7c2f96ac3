import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { PageMessage } from '../../shared/contract/desktopMessage.ts';
import { onPageMessage } from './desktopChannel.ts';

const chooseFolder = (id: number): PageMessage => ({ kind: 'chooseFolder', id });

function listening() {
  const pipe = new EventEmitter();
  const page = { mainFrame: {} };
  const window = { isDestroyed: () => false };
  let now = 0;
  const heard: unknown[] = [];
  const windowOf = (contents: object) => (contents === page || contents === other ? window : null);
  const other = { mainFrame: {} };
  onPageMessage({ pipe, windowOf, nowMs: () => now }, (_window, message) => heard.push(message));
  return {
    page,
    other,
    heard,
    say: (message: unknown, sender: { readonly mainFrame: object } = page, senderFrame: object = sender.mainFrame) =>
      void pipe.emit('desktop', { sender, senderFrame }, message),
    wait(ms: number) {
      now += ms;
    },
    /** Says what is always heard, and waits for it. */
    async settled() {
      pipe.emit('desktop', { sender: other, senderFrame: other.mainFrame }, { kind: 'ready' });
      await vi.waitFor(() => expect(heard).toContainEqual({ kind: 'ready' }));
      heard.splice(heard.findIndex((one) => (one as PageMessage).kind === 'ready'));
    },
  };
}

test('S1 the desktop hears the page of a window, and neither a frame inside it nor another sender', async () => {
  const { say, heard, page, settled } = listening();
  say(chooseFolder(1), page, {});
  say(chooseFolder(2), { mainFrame: {} });
  say(chooseFolder(3));
  await settled();
  expect(heard).toEqual([chooseFolder(3)]);
});

test('S4 what is too large or does not fit the contract is dropped before it reaches the desktop', async () => {
  const { say, heard, settled } = listening();
  const item = { id: 'x', label: 'x', enabled: true };
  say({ ...chooseFolder(1), more: 'x'.repeat(100_001) });
  say({ kind: 'menu', menus: [{ name: 'file', label: 'File', items: Array(61).fill(item) }] });
  say({ kind: 'chooseFolder', id: '1' });
  say({ kind: 'quit' });
  say(chooseFolder(2));
  await settled();
  expect(heard).toEqual([chooseFolder(2)]);
});

test('S4 a page that floods the desktop is heard a hundred times, then ten times a second; another page is not held up', async () => {
  const { say, heard, wait, settled } = listening();
  for (let id = 0; id < 5000; id += 1) say(chooseFolder(id));
  await settled();
  expect(heard).toHaveLength(100);
  heard.length = 0;
  wait(1000);
  for (let id = 0; id < 5000; id += 1) say(chooseFolder(id));
  await settled();
  expect(heard).toHaveLength(10);
});
