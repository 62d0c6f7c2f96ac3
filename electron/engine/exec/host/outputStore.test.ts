import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ByteRing } from './byteRing.ts';
import { bytesHeadBytes, FrameReader, fillBytesHead, jsonFrame } from './frames.ts';
import { LogFile } from './logFile.ts';
import { countCodePoints, OutputStore } from './outputStore.ts';
import { View } from './view.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vise-store-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('ByteRing', () => {
  test('keeps the last bytes by their position, however they came', () => {
    const ring = new ByteRing(64 * 1024);
    let all = '';
    for (let i = 0; i < 9_000; i += 1) {
      const piece = `${i},`.repeat((i % 7) + 1);
      all += piece;
      ring.append(Buffer.from(piece));
    }
    const kept = Buffer.concat(ring.pieces(ring.start, ring.total)).toString();
    expect([ring.total, ring.total - ring.start, kept === all.slice(-64 * 1024)]).toEqual([
      all.length,
      64 * 1024,
      true,
    ]);
  });

  test('a chunk larger than itself leaves its end', () => {
    const ring = new ByteRing(16 * 1024);
    ring.append(Buffer.from('x'.repeat(40_000) + 'end'));
    expect([ring.total, Buffer.concat(ring.pieces(ring.total - 3, ring.total)).toString()]).toEqual([40_003, 'end']);
  });

  test('has nothing at hand once freed, and goes on from there', () => {
    const ring = new ByteRing(16 * 1024);
    ring.append(Buffer.from('old'));
    ring.free();
    ring.append(Buffer.from('new'));
    expect([ring.start, Buffer.concat(ring.pieces(ring.start, ring.total)).toString()]).toEqual([3, 'new']);
  });
});

describe('LogFile', () => {
  test('is one file up to half its limit', () => {
    const log = new LogFile(join(folder, 'a'), 1000);
    log.append(Buffer.from('x'.repeat(300)));
    log.append(Buffer.from('y'.repeat(200)));
    log.close();
    expect(readFileSync(log.path, 'utf8')).toBe('x'.repeat(300) + 'y'.repeat(200));
  });

  test('rotates, drops the oldest and says so in the file', () => {
    const log = new LogFile(join(folder, 'a'), 1000);
    for (const letter of ['a', 'b', 'c']) log.append(Buffer.from(letter.repeat(400)));
    log.close();
    const mark =
      '[vise: 800 bytes came before this line, the last 400 of them are in a.1.log; the first 400 bytes were dropped]\n';
    expect(readFileSync(log.path, 'utf8')).toBe(mark + 'c'.repeat(400));
    expect(readFileSync(join(folder, 'a.1.log'), 'utf8').endsWith('b'.repeat(400))).toBe(true);
  });
});

describe('OutputStore', () => {
  test('keeps the beginning of each stream apart, all of it together, and counts the rest', () => {
    const store = new OutputStore(join(folder, 't'), 10_000_000, 1000);
    store.append('stdout', Buffer.from('ö'.repeat(600)));
    store.append('stderr', Buffer.from('err'));
    store.append('stdout', Buffer.from('tail'));
    // Not closed: it is on the disk at once.
    expect([readFileSync(join(folder, 't.out')).length, readFileSync(join(folder, 't.err'), 'utf8')]).toEqual([
      1000,
      'err',
    ]);
    expect(readFileSync(join(folder, 't.log'), 'utf8')).toBe(`${'ö'.repeat(600)}errtail`);
    expect(store.state('stdout')).toMatchObject({ bytes: 1204, chars: 604 });
    store.close();
  });

  test('keeps stdout in the log alone until there is stderr, or the log is rotated', () => {
    const files = (): readonly string[] => readdirSync(folder).toSorted();
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    const store = new OutputStore(join(folder, 'a'), 10_000, 8);
    store.append('stdout', Buffer.from('one two three'));
    expect(files()).toEqual(['a.log']);
    store.append('stderr', Buffer.from('err'));
    store.append('stdout', Buffer.from('four'));
    store.close();
    expect([files(), read('a.out'), read('a.err')]).toEqual([['a.err', 'a.log', 'a.out'], 'one two ', 'err']);
    const rotated = new OutputStore(join(folder, 'b'), 20, 12);
    for (const text of ['first ', 'next ', 'last']) rotated.append('stdout', Buffer.from(text));
    rotated.close();
    expect([read('b.1.log'), read('b.out')]).toEqual(['first ', 'first next l']);
  });

  test('goes on without a disk, and says why the log is incomplete', () => {
    const store = new OutputStore(join(folder, 'missing', 't'), 1000, 1000);
    store.append('stdout', Buffer.from('text'));
    store.close();
    expect([store.fault?.startsWith('ENOENT'), store.state('stdout')]).toEqual([
      true,
      { bytes: 4, chars: 4, whole: Buffer.from('text').toString('base64') },
    ]);
  });

  test('counts code points at any alignment', () => {
    const bytes = Buffer.from('aäß😀€x'.repeat(40));
    for (let cut = 0; cut < 9; cut += 1) {
      const both = countCodePoints(bytes.subarray(0, cut)) + countCodePoints(bytes.subarray(cut));
      expect(both).toBe(240);
    }
  });
});

test('frames survive being cut anywhere', () => {
  const payload = Buffer.alloc(bytesHeadBytes + 3);
  payload.write('abc', bytesHeadBytes);
  const stream = Buffer.concat([jsonFrame({ t: 'ä' }), fillBytesHead(payload, 7, 3), jsonFrame([1])]);
  for (let size = 1; size <= stream.length; size += 1) {
    const seen: unknown[] = [];
    const reader = new FrameReader({
      json: (message) => seen.push(message),
      bytes: (view, bytes) => seen.push([view, bytes.toString()]),
    });
    for (let at = 0; at < stream.length; at += size) reader.push(stream.subarray(at, at + size));
    expect(seen).toEqual([{ t: 'ä' }, [7, 'abc'], [1]]);
  }
});

test('a view sends no more than its window until it is acknowledged, then leaves out what is gone', async () => {
  const ring = new ByteRing(512 * 1024);
  const sent: number[] = [];
  const skipped: number[] = [];
  const leftOut = Promise.withResolvers<void>();
  const view = new View(1, ring, {
    bytes: (frame, done) => {
      sent.push(frame.length - bytesHeadBytes);
      done();
    },
    skipped: (bytes) => {
      skipped.push(bytes);
      leftOut.resolve();
    },
    ended: () => undefined,
  });
  const line = Buffer.from(`${'x'.repeat(63)}\n`.repeat(1024));
  for (let i = 0; i < 64; i += 1) {
    ring.append(line);
    view.pump();
  }
  const sum = (): number => sent.reduce((total, size) => total + size, 0);
  expect([sum(), skipped]).toEqual([512 * 1024, []]);
  view.acknowledge(512 * 1024);
  await leftOut.promise;
  view.dispose();
  // It goes on at the beginning of a line, and what was sent, left out and is still to come makes the whole.
  expect([(skipped[0] ?? 0) % 64, (skipped[0] ?? 0) > 3_000_000]).toEqual([0, true]);
});

test('a view that has fallen behind takes no more at once than it goes on with, one that keeps up takes what fits', () => {
  const first = (bytes: number): number => {
    const ring = new ByteRing(512 * 1024);
    for (let left = bytes; left > 0; left -= 64 * 1024) ring.append(Buffer.alloc(64 * 1024, 'x'));
    let sent = 0;
    const view = new View(1, ring, {
      bytes: (frame) => {
        sent += frame.length - bytesHeadBytes;
      },
      skipped: () => undefined,
      ended: () => undefined,
    });
    ring.append(Buffer.alloc(512 * 1024, 'y'));
    view.pump();
    view.dispose();
    return sent;
  };
  expect([first(0), first(64 * 1024)]).toEqual([512 * 1024, 128 * 1024]);
});
