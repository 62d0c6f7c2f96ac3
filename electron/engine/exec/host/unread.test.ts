import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OutputStore, type StreamName } from './outputStore.ts';
import { discardUnread, replayUnread } from './replayUnread.ts';
import { segmentPath } from './segments.ts';
import { type CopiedTask, UnreadFile, unreadPath } from './unread.ts';

/** No system gives it away: nothing has to end before the copies are whole. */
const nobody = 2 ** 30;
const mark = Buffer.from('\x1b]7777;mark\x07');

let folder = '';
let base = '';
let copies = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vise-unread-'));
  base = join(folder, 'task');
  mkdirSync(join(folder, 'unread-1'));
  copies = join(folder, 'unread-1', '4');
});
afterEach(() => rmSync(folder, { recursive: true }));

const taskOf = (maxLogBytes: number, maxCaptureBytes: number, raw: boolean): CopiedTask => ({
  copies,
  keeper: nobody,
  maxLogBytes,
  maxCaptureBytes,
  streams: {
    stdout: { mark: mark.toString('base64'), raw },
    stderr: { mark: mark.toString('base64'), raw },
  },
});

const read = (suffix: string): string => (existsSync(base + suffix) ? readFileSync(base + suffix, 'latin1') : '');

/** All of a log in order, without the line that a new file begins with. */
const wholeLog = (): string => read('.1.log').replace(/^\[vise: .*\n/, '') + read('.log').replace(/^\[vise: .*\n/, '');

const chunks = Array.from({ length: 12 }, (_, i) => ({
  stream: i % 3 === 2 ? ('stderr' as const) : ('stdout' as const),
  text: Buffer.from(`${String.fromCharCode(97 + i).repeat(9)}\n`),
}));
const textOf = (stream: StreamName): string =>
  chunks.flatMap((one) => (one.stream === stream ? [one.text.toString()] : [])).join('');

/**
 * A host that passes the chunks on, in the order in which it does: every step is one call of the system. Stdout changes to its
 * second segment in the middle.
 */
function host(maxLogBytes: number, maxCaptureBytes: number): (() => void)[] {
  let store: OutputStore;
  let unread: UnreadFile;
  const at: Record<StreamName, number> = { stdout: 0, stderr: 0 };
  const steps = [
    () => {
      store = new OutputStore(base, maxLogBytes, maxCaptureBytes);
      unread = new UnreadFile(base, taskOf(maxLogBytes, maxCaptureBytes, true), () => store.written);
    },
  ];
  for (const [i, { stream, text }] of chunks.entries()) {
    const segment = stream === 'stdout' && i > 5 ? 1 : 0;
    if (i === 6) {
      steps.push(
        () => unread.move('stdout', { segment: 1, offset: 0, held: '' }),
        () => unread.write(),
        () => rmSync(segmentPath(copies, 'stdout', 0)),
        () => {
          at.stdout = 0;
        },
      );
    }
    steps.push(
      () => unread.write(),
      () => store.append(stream, text),
      () => {
        at[stream] += text.length;
        unread.move(stream, { segment, offset: at[stream], held: '' });
      },
    );
  }
  steps.push(
    () => unread.remove(),
    () => rmSync(segmentPath(copies, 'stdout', 1)),
    () => rmSync(segmentPath(copies, 'stderr', 0)),
  );
  return steps;
}

function writeSegments(): void {
  for (const [i, { stream, text }] of chunks.entries())
    appendFileSync(segmentPath(copies, stream, stream === 'stdout' && i > 5 ? 1 : 0), text);
}

const stepCount = 1 + chunks.length * 3 + 4 + 3;

describe('what a killed host had not passed on (N1)', () => {
  test('the host of these tests has as many steps as are tried', () => {
    expect(host(1000, 1000)).toHaveLength(stepCount);
  });

  test.each(Array.from({ length: stepCount }, (_, i) => i + 1))(
    'is complete and not doubled when it is killed after step %i',
    async (killedAt) => {
      writeSegments();
      for (const step of host(100_000, 100_000).slice(0, killedAt)) step();
      expect(await replayUnread(base)).toBe(undefined);
      expect([read('.out'), read('.err'), [...read('.log')].toSorted().join('')]).toEqual([
        textOf('stdout'),
        textOf('stderr'),
        [...textOf('stdout'), ...textOf('stderr')].toSorted().join(''),
      ]);
      const rest = readdirSync(folder).toSorted();
      expect(
        rest.filter((name) => name.endsWith('.unread') || (killedAt < stepCount - 2 && name.startsWith('unread-'))),
      ).toEqual([]);
    },
  );

  test.each(Array.from({ length: stepCount }, (_, i) => i + 1))(
    'keeps to the limits of the log and of a stream when it is killed after step %i',
    async (killedAt) => {
      writeSegments();
      for (const step of host(60, 25).slice(0, killedAt)) step();
      expect(await replayUnread(base)).toBe(undefined);
      expect([read('.out'), read('.err')]).toEqual([textOf('stdout').slice(0, 25), textOf('stderr').slice(0, 25)]);
      // The latest of each stream is in the log, in order and once.
      const log = wholeLog();
      const total = textOf('stdout').length + textOf('stderr').length;
      const [, before] = /^\[vise: (\d+) bytes came before/.exec(read('.log')) ?? [];
      expect(Number(before) + read('.log').replace(/^\[vise: .*\n/, '').length).toBe(total);
      for (const [stream, letters] of [
        ['stdout', 'abdeghjk'],
        ['stderr', 'cfil'],
      ] as const) {
        const logged = log.split('\n').filter((line) => line !== '' && letters.includes(line[0] ?? ''));
        expect(textOf(stream).endsWith(`${logged.join('\n')}\n`)).toBe(true);
        expect(logged.length).toBeGreaterThan(0);
      }
    },
  );

  test('is not doubled when the kill came in the middle of a write', async () => {
    writeSegments();
    for (const step of host(100_000, 100_000).slice(0, 5)) step(); // the second piece is announced
    appendFileSync(`${base}.log`, 'bbbb');
    expect(await replayUnread(base)).toBe(undefined);
    expect([read('.out'), read('.log').includes('bbbbbbbbbb')]).toEqual([textOf('stdout'), false]);
  });

  test('is not doubled when the one who saves it is killed, and saves it again', async () => {
    writeSegments();
    for (const step of host(60, 100_000).slice(0, 11)) step();
    const record = readFileSync(unreadPath(base));
    const segments = readdirSync(join(folder, 'unread-1')).map((name) => {
      const path = join(folder, 'unread-1', name);
      return [path, readFileSync(path)] as const;
    });
    await replayUnread(base);
    const first = [read('.out'), read('.err')];
    writeFileSync(unreadPath(base), record);
    mkdirSync(join(folder, 'unread-1'));
    for (const [path, bytes] of segments) writeFileSync(path, bytes);
    await replayUnread(base);
    expect([[read('.out'), read('.err')], first]).toEqual([
      [textOf('stdout'), textOf('stderr')],
      [textOf('stdout'), textOf('stderr')],
    ]);
  });

  test('has its line ends and the mark behind the command seen to, also where what was read ends in the middle of them', async () => {
    const store = new OutputStore(base, 100_000, 100_000);
    const unread = new UnreadFile(base, taskOf(100_000, 100_000, false), () => store.written);
    const printed = `one\r\ntwo\r\n${mark.toString('latin1')}three\r\nfour\r`;
    writeFileSync(segmentPath(copies, 'stdout', 0), printed);
    writeFileSync(segmentPath(copies, 'stderr', 0), printed);
    // Of stdout the CR was held back, of stderr the beginning of the mark.
    store.append('stdout', Buffer.from('one'));
    unread.move('stdout', { segment: 0, offset: 4, held: Buffer.from('\r').toString('base64') });
    store.append('stderr', Buffer.from('one\ntwo\n'));
    unread.move('stderr', { segment: 0, offset: 15, held: mark.subarray(0, 5).toString('base64') });
    unread.write();
    await replayUnread(base);
    expect([read('.out'), read('.err')]).toEqual(['one\ntwo\nthree\nfour\r', 'one\ntwo\nthree\nfour\r']);
  });

  test('is nothing where the file that tells of it was not finished: the command had not been started', async () => {
    writeFileSync(unreadPath(base), '{"places"');
    expect([await replayUnread(base), readdirSync(folder)]).toEqual([undefined, ['unread-1']]);
  });

  test('stays where it is when it cannot be written, and why is told', async () => {
    writeSegments();
    for (const step of host(100_000, 100_000).slice(0, 2)) step();
    mkdirSync(`${base}.log`);
    expect(await replayUnread(base)).toMatch(/EISDIR|EPERM|directory/);
    expect([existsSync(unreadPath(base)), readdirSync(join(folder, 'unread-1')).length]).toEqual([true, 3]);
    discardUnread(base);
    expect(readdirSync(folder)).toEqual(['task.log']);
  });
});
