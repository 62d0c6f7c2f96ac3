import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../testing/testExecutor.ts';
import type { CopierEnd } from './copierChannel.ts';
import { CopyFolder } from './copyFolder.ts';
import { type Followed, Follower } from './follower.ts';
import { segmentPath } from './segments.ts';

let parent = '';
let folder: CopyFolder;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'vise-follow-'));
  folder = new CopyFolder(parent);
});
afterEach(() => {
  folder.close();
  rmSync(parent, { recursive: true });
});

/** A copier of stdout that writes what the test says, and what its follower heard of it. */
class Scripted implements Followed {
  readonly copies = folder.next();
  readonly begun: number[] = [0];
  heard = '';
  readonly places: string[] = [];
  ended: CopierEnd | undefined;
  looks = 0;
  dead = false;
  readonly follower: Follower;
  #onEnd: (end: CopierEnd) => void = () => undefined;

  constructor(bufferBytes = 8) {
    this.follower = new Follower(this, 'stdout', folder, Buffer.alloc(bufferBytes), {
      output: (chunk, segment, offset) => {
        this.heard += chunk;
        this.places.push(`${segment}:${offset}`);
      },
      passed: (segment) => this.places.push(`passed ${segment}, ${existsSync(this.path(segment)) ? 'there' : 'gone'}`),
      ended: (end) => {
        this.ended = end;
      },
    });
  }

  onEnd(_stream: string, heard: (end: CopierEnd) => void): void {
    this.#onEnd = heard;
  }

  begin(_stream: string, segment: number): boolean {
    if (!this.dead) this.begun.push(segment);
    return !this.dead;
  }

  look(): void {
    this.looks += 1;
  }

  path(segment: number): string {
    return segmentPath(this.copies, 'stdout', segment);
  }

  write(text: string): void {
    appendFileSync(this.path(this.begun.at(-1) ?? 0), text);
  }

  end(end: CopierEnd): void {
    this.#onEnd(end);
  }
}

describe('who follows a copy', () => {
  test('hears what is written, as it is written, and where it was', async () => {
    const one = new Scripted();
    one.write('first ');
    await until(() => one.heard === 'first ');
    one.write('second and more');
    await until(() => one.heard === 'first second and more');
    one.end({ how: 'over' });
    await until(() => one.ended !== undefined);
    expect([one.ended, one.places]).toEqual([{ how: 'over' }, ['0:0', '0:6', '0:14']]);
  });

  test('hears what was written before it came', async () => {
    const early = new Scripted();
    early.follower.close();
    early.write('early');
    const heard: string[] = [];
    const late = new Follower(early, 'stdout', folder, Buffer.alloc(64), {
      output: (chunk) => heard.push(chunk.toString()),
      passed: () => undefined,
      ended: () => undefined,
    });
    await until(() => heard.length > 0);
    late.close();
    expect(heard).toEqual(['early']);
  });

  test('has the next segment begun at once, and the one after that only when the first has been read', async () => {
    const one = new Scripted();
    one.write('a'.repeat(100));
    one.end({ how: 'full' });
    expect(one.begun).toEqual([0, 1]);
    one.write('b'.repeat(100));
    one.end({ how: 'full' });
    // Nothing has been read yet: this is all in one round of the event loop.
    expect([one.begun, one.heard]).toEqual([[0, 1], '']);
    await until(() => one.begun.length > 2);
    expect([one.begun, one.heard.startsWith('a'.repeat(100)), existsSync(one.path(0))]).toEqual([
      [0, 1, 2],
      true,
      false,
    ]);
    one.write('c');
    one.end({ how: 'over' });
    await until(() => one.ended !== undefined);
    expect(one.heard).toBe(`${'a'.repeat(100)}${'b'.repeat(100)}c`);
    // Told before it is removed: who reads on after a kill must know.
    expect(one.places.filter((place) => place.startsWith('passed'))).toEqual(['passed 0, there', 'passed 1, there']);
    one.follower.removeCopies();
    expect(readdirSync(dirname(one.copies))).toEqual([]);
  });

  test('is told of the end after the last byte, with what went wrong', async () => {
    const one = new Scripted();
    one.write('all of it');
    one.end({ how: 'failed', fault: 'no space' });
    await until(() => one.ended !== undefined);
    expect([one.heard, one.ended]).toEqual(['all of it', { how: 'failed', fault: 'no space' }]);
  });

  test('is told that it ended, and of nothing missing, when nobody is left to begin the next segment', async () => {
    const one = new Scripted();
    one.dead = true;
    one.write('all of it');
    one.end({ how: 'full' });
    await until(() => one.ended !== undefined);
    expect([one.heard, one.ended]).toEqual(['all of it', { how: 'failed' }]);
  });

  test('looks now and then whether the copier is still alive', async () => {
    const one = new Scripted();
    await until(() => one.looks > 1);
    one.follower.close();
    expect(one.ended).toBe(undefined);
  });
});
