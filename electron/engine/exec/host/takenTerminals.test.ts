import { existsSync, mkdtempSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isRunning } from '../processTree.ts';
import { until } from '../testing/testExecutor.ts';
import { Copier } from './copier.ts';
import { CopyFolder } from './copyFolder.ts';
import { Inherited } from './inherited.ts';
import { loadNodePty } from './nodePty.ts';
import { OutputStore } from './outputStore.ts';
import type { StartOrder } from './protocol.ts';
import { TakenTerminals } from './takenTerminals.ts';
import { TerminalPool } from './terminalPool.ts';
import { readUnread, unreadPath } from './unread.ts';

const linux = process.platform === 'linux';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vise-taken-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.skipIf(!linux)(
  `N1: before a piece of output is passed on it stands on the disk where it begins, and after the last the note is gone${
    linux ? '' : ' (skipped but on Linux: it reads /proc)'
  }`,
  async () => {
    const { native } = loadNodePty();
    if (native === null) throw new Error('There are no pseudo-terminals here.');
    const base = join(folder, 'task');
    const inherited = new Inherited();
    const copies = new CopyFolder(folder);
    const pool = new TerminalPool(native, [80, 24], inherited, undefined);
    const [out, err] = [pool.open(), pool.open()];
    const copier = new Copier(copies.next(), [out, err], true, (from) => inherited.mask(from));
    const raw = await copier.raw;
    const store = new OutputStore(base, 100_000, 100_000);
    const noted: unknown[] = [];
    const passedOn: unknown[] = [];
    let bytes = 0;
    let closed = false;
    const order: StartOrder = {
      id: 'task',
      file: '',
      args: [],
      cwd: folder,
      env: {},
      terminal: 'output',
      columns: 80,
      rows: 24,
      base,
      maxLogBytes: 100_000,
      maxCaptureBytes: 100_000,
      record: undefined,
    };
    const taken = TakenTerminals.apart({ out, err, raw, copier }, copies, order, inherited, {
      output: (stream, chunk) => {
        const unread = readUnread(base);
        noted.push([unread?.places.stdout.offset, unread?.written.stdout.inFile, unread?.written.log.inFile]);
        passedOn.push([bytes, bytes, bytes]);
        bytes += chunk.length;
        store.append(stream, Buffer.from(chunk));
      },
      written: () => store.written,
      incomplete: (why) => {
        throw new Error(why);
      },
      exited: () => undefined,
      closed: () => {
        closed = true;
      },
    });
    expect([taken.areCopied, existsSync(unreadPath(base))]).toEqual([true, true]);
    taken.read();
    for (const text of ['one\n', 'two and more\n', 'three\n']) {
      const before = bytes;
      writeSync(out.slave, text);
      await until(() => bytes === before + text.length);
    }
    expect(readUnread(base)?.places.stdout.offset).toBeLessThan(bytes); // the last piece may have come halfway, for all it says
    taken.closeSlaves();
    await until(() => closed);
    expect([noted, passedOn.length >= 3]).toEqual([passedOn, true]);
    await until(() => copier.pid === undefined || !isRunning(copier.pid));
    copies.close();
    store.close();
    expect(readdirSync(folder).toSorted()).toEqual(['task.log', 'task.out']);
  },
);
