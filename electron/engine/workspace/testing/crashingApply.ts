import { faultyDisk } from './faultyDisk.ts';
import { handsOver } from './testHands.ts';

/** For tests, run as a process of its own: applies a set and is killed (SIGKILL) right before disk step number `at`. */
const [root = '', state = '', at = '0'] = process.argv.slice(2);
const { disk } = faultyDisk(Number(at), () => process.kill(process.pid, 'SIGKILL'));
const { hands, propose } = await handsOver(root, state, disk);
const applied = await hands.applyChanges([
  await propose('a', 'new a'),
  await propose('d/b', 'new b'),
  await propose('gone', null),
  await propose('x/y/c', 'new c'),
]);
process.stdout.write(JSON.stringify(applied.ok));
