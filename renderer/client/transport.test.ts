import { expect, test } from 'vitest';
import { overSocket, type Socket, socketAddress } from './transport.ts';

function fakeSocket(): { readonly socket: Socket; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  const socket: Socket = {
    binaryType: 'blob',
    readyState: 0,
    bufferedAmount: 0,
    onopen: null,
    onmessage: null,
    onclose: null,
    send: (data) => sent.push(data),
    close: () => undefined,
  };
  return { socket, sent };
}

test('the socket is that of the page, on its own port', () => {
  expect([
    socketAddress({ protocol: 'http:', host: '127.0.0.1:4173' }),
    socketAddress({ protocol: 'https:', host: 'vise.test' }),
  ]).toEqual(['ws://127.0.0.1:4173/ws', 'wss://vise.test/ws']);
});

test('what is posted before the socket opens is sent when it does, in order', () => {
  const { socket, sent } = fakeSocket();
  const connection = overSocket('ws://x/ws', () => socket);
  connection.post({ n: 1 });
  connection.post({ n: 2 });
  Object.assign(socket, { readyState: 1 });
  socket.onopen?.call(socket as WebSocket, new Event('open'));
  connection.post({ n: 3 });
  expect(sent).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
});

test('text becomes data, bytes stay bytes, and what is no JSON becomes nothing', () => {
  const { socket } = fakeSocket();
  const connection = overSocket('ws://x/ws', () => socket);
  const say = (data: unknown): void => {
    socket.onmessage?.call(socket as WebSocket, { data } as MessageEvent);
  };
  const frames: unknown[] = [];
  say('{"early":true}');
  connection.onFrame((frame) => frames.push(frame));
  say(new Uint8Array([0, 0, 0, 1, 65]).buffer);
  say('{broken');
  expect(frames).toEqual([{ early: true }, new Uint8Array([0, 0, 0, 1, 65]), undefined]);
});

test('the end of the socket is told once', () => {
  const { socket } = fakeSocket();
  const connection = overSocket('ws://x/ws', () => socket);
  const reasons: string[] = [];
  connection.onClose((reason) => reasons.push(reason));
  connection.close('done here');
  socket.onclose?.call(socket as WebSocket, { reason: 'late' } as CloseEvent);
  expect(reasons).toEqual(['done here']);
});
