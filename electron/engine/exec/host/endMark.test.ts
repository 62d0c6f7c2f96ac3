import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EndMark } from './endMark.ts';

/** A file in the place of the terminal: what is written to it is the mark. */
let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vise-mark-'));
  path = join(folder, 'terminal');
  closeSync(openSync(path, 'w'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const settled = async (promise: Promise<void>): Promise<boolean> => {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  for (let i = 0; i < 3; i += 1) await Promise.resolve();
  return done;
};

describe('the mark behind what a command wrote', () => {
  test('is taken out wherever it is cut, and what is around it stays', async () => {
    for (let cut = 0; cut <= 64; cut += 1) {
      closeSync(openSync(path, 'w'));
      const mark = new EndMark(path);
      const passed = mark.passed();
      const stream = Buffer.concat([Buffer.from('before\x1b['), readFileSync(path), Buffer.from('after')]);
      const at = Math.min(cut, stream.length);
      const text = [mark.filter(stream.subarray(0, at)), mark.filter(stream.subarray(at))].join('');
      expect([text, await settled(passed)]).toEqual(['before\x1b[after', true]);
    }
  });

  test('resolves not before it has come through', async () => {
    const mark = new EndMark(path);
    const passed = mark.passed();
    expect([mark.filter(Buffer.from('all of it')).toString(), await settled(passed)]).toEqual(['all of it', false]);
    mark.filter(readFileSync(path));
    expect([await settled(passed), mark.filter(Buffer.from('\x1b]7777;')).toString()]).toEqual([true, '\x1b]7777;']);
  });

  test('is over when the terminal closes, and gives back what looked like its beginning', async () => {
    const mark = new EndMark(path);
    const passed = mark.passed();
    expect(mark.filter(Buffer.from('x\x1b]77')).toString()).toBe('x');
    expect([mark.close().toString(), await settled(passed)]).toEqual(['\x1b]77', true]);
  });

  test('is over at once when there is no terminal', async () => {
    expect(await settled(new EndMark(join(folder, 'none')).passed())).toBe(true);
  });
});
