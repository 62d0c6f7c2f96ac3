import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { ipcConnection } from './ipcConnection.ts';

function connected(maxChars: number) {
  const pipe = new EventEmitter();
  const sent: unknown[] = [];
  const mainFrame = {};
  const contents = Object.assign(new EventEmitter(), {
    mainFrame,
    isDestroyed: () => false,
    send: (_channel: string, frame: unknown) => void sent.push(frame),
  });
  const connection = ipcConnection(pipe, contents, maxChars);
  const say = (frame: unknown) => void pipe.emit('frame', { sender: contents, senderFrame: mainFrame }, frame);
  return { connection, pipe, contents, sent, say };
}

test('S1 the engine hears the main frame of its own window, and nobody else', () => {
  const { connection, pipe, contents, say } = connected(1000);
  const heard: unknown[] = [];
  connection.onFrame((frame) => heard.push(frame));
  pipe.emit('frame', { sender: {}, senderFrame: contents.mainFrame }, 'another window');
  pipe.emit('frame', { sender: contents, senderFrame: {} }, 'a frame inside');
  say('the page');
  expect(heard).toEqual(['the page']);
});

test('S4 a frame of a page that is too large ends its connection with a reason, and nothing more is heard of it', () => {
  const { connection, sent, say } = connected(1000);
  const heard: unknown[] = [];
  const ended: string[] = [];
  connection.onFrame((frame) => heard.push(frame));
  connection.onClose((reason) => ended.push(reason));
  say({ kind: 'call', input: 'x'.repeat(1000) });
  say('later');
  expect(heard).toEqual([]);
  expect(ended).toEqual(['A frame is too large.']);
  expect(sent).toEqual([{ kind: 'closed', reason: 'A frame is too large.' }]);
});

test('S4 a page that floods before the engine listens is cut off; what a page greets with is heard in order', () => {
  const greeted = connected(1000);
  for (let n = 0; n < 200; n += 1) greeted.say(n);
  const heard: unknown[] = [];
  greeted.connection.onFrame((frame) => heard.push(frame));
  expect(heard).toEqual(Array.from({ length: 200 }, (_, n) => n));

  const flooded = connected(1000);
  for (let n = 0; n < 201; n += 1) flooded.say(n);
  const ended: string[] = [];
  flooded.connection.onClose((reason) => ended.push(reason));
  flooded.connection.onFrame(() => expect.unreachable());
  expect(ended).toEqual(['Too many frames in a short time.']);
});

test('a window that closes ends its connection and hears nothing more', () => {
  const { connection, contents, sent, pipe } = connected(1000);
  const ended: string[] = [];
  connection.onClose((reason) => ended.push(reason));
  contents.emit('destroyed');
  connection.post({ kind: 'call' });
  expect(ended).toEqual(['the window closed']);
  expect(sent).toEqual([]);
  expect(pipe.listenerCount('frame')).toBe(0);
});
