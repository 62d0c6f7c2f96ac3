import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { CopierChannel, type CopierEnd } from './copierChannel.ts';

/** What is made of what a copier says, however it is cut. */
function said(text: string, cutAt = text.length): { ends: readonly CopierEnd[]; channel: CopierChannel } {
  const socket = new Socket();
  const channel = new CopierChannel(socket);
  const ends: CopierEnd[] = [];
  channel.onEnd((end) => ends.push(end));
  for (const part of [text.slice(0, cutAt), text.slice(cutAt)]) if (part !== '') socket.emit('data', Buffer.from(part));
  return { ends, channel };
}

const gone = "dd: error reading 'standard input': Input/output error\n";

test.each<[string, string, CopierEnd]>([
  [
    'nobody holds the terminal',
    `pid 4194305\n${gone}0+3 records in\n0+3 records out\n12 bytes copied, 1 s\n`,
    { how: 'over' },
  ],
  [
    'as another system says it',
    'dd: /dev/stdin: Input/output error\n0+3 records in\n0+3 records out\n',
    { how: 'over' },
  ],
  ['it has done its part', 'pid 4194305\n7+2041 records in\n7+2041 records out\n', { how: 'full' }],
  [
    'the disk is full',
    "dd: error writing 'standard output': No space left on device\n0+3 records in\n0+2 records out\n",
    { how: 'failed', fault: "dd: error writing 'standard output': No space left on device" },
  ],
  [
    'the disk is broken',
    "dd: error writing 'standard output': Input/output error\n0+3 records in\n0+2 records out\n",
    { how: 'failed', fault: "dd: error writing 'standard output': Input/output error" },
  ],
  ['it ended for no reason that is known', '0+3 records in\n0+3 records out\n', { how: 'failed' }],
])('a copier that ends is understood: %s', (_what, text, expected) => {
  for (let cutAt = 0; cutAt <= text.length; cutAt += 1) expect(said(text, cutAt).ends).toEqual([expected]);
});

test('what the shell says in the middle of a line of the copier is understood', () => {
  expect(said('dd: pid 4194305\nerror reading: Input/output error\n0+0 records in\n0+0 records out\n').ends).toEqual([
    { how: 'over' },
  ]);
});

test('a copier that is gone without a word is noticed at the second look, one that runs is not', () => {
  const { ends, channel } = said('pid 4194305\n'); // no process has this number
  channel.look();
  expect([ends, channel.works]).toEqual([[], false]);
  channel.look();
  expect(ends).toEqual([{ how: 'failed', fault: 'the process that copied it was ended' }]);
  const other = said(`pid ${process.pid}\n`);
  for (let i = 0; i < 3; i += 1) other.channel.look();
  expect([other.ends, other.channel.works]).toEqual([[], true]);
});

test('each copier of a stream ends once, and the next one anew', () => {
  const socket = new Socket();
  const channel = new CopierChannel(socket);
  socket.emit('data', Buffer.from('0+2048 records in\n0+2048 records out\n'));
  const ends: CopierEnd[] = [];
  channel.onEnd((end) => ends.push(end)); // it had ended before that
  channel.begun();
  socket.emit('data', Buffer.from(`pid 4194305\n${gone}0+1 records in\n0+1 records out\n`));
  socket.emit('close');
  expect(ends).toEqual([{ how: 'full' }, { how: 'over' }]);
});
