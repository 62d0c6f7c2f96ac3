import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type Envelope, envelopeFault, type SessionEvent } from '../../../shared/model/event.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { continueJournal, createJournal, journalVersion } from './journal.ts';
import { readJournal } from './readJournal.ts';

vi.mock('../../../shared/model/event.ts', async (original) => {
  const real = await original<typeof import('../../../shared/model/event.ts')>();
  return { ...real, envelopeFault: vi.fn(real.envelopeFault) };
});

function fact(seq: number, event: SessionEvent = { type: 'session.renamed', title: `n${seq}` }): Envelope {
  return { seq, at: '2026-01-01T00:00:00.000Z', session: 's', event };
}

function written(...lines: readonly (readonly Envelope[])[]): string {
  const path = join(testFolder(), 'sessions', 's', 'journal.jsonl');
  const journal = createJournal(path);
  for (const line of lines) journal.append(line);
  journal.close();
  return path;
}

/** The line of a second fact, whatever it holds. */
const line = (event: unknown): string => JSON.stringify({ ...fact(2), event });

const facts = (path: string): unknown => {
  const read = readJournal(path);
  return read.ok ? read.value.envelopes.map(({ seq }) => seq) : read.error.code;
};

describe('the journal', () => {
  test('gives back what was written, alone or together, and is private', () => {
    const path = written([fact(1)], [fact(2), fact(3)], [fact(4)]);
    expect(readJournal(path)).toEqual({
      ok: true,
      value: {
        envelopes: [fact(1), fact(2), fact(3), fact(4)],
        wholeBytes: statSync(path).size,
        torn: false,
        skipped: [],
        skippedCount: 0,
      },
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('cut at any byte it gives a beginning of the facts, and never a part of those that belong together', () => {
    const path = written([fact(1)], [fact(2), fact(3), fact(4)], [fact(5)]);
    const whole = readFileSync(path);
    const head = whole.indexOf(10) + 1;
    const wholes = ['[]', '[1]', '[1,2,3,4]', '[1,2,3,4,5]'];
    const seen = new Set<string>();
    for (let size = head; size <= whole.length; size += 1) {
      writeFileSync(path, whole.subarray(0, size));
      seen.add(JSON.stringify(facts(path)));
    }
    expect([...seen]).toEqual(wholes);
  });

  test('of an earlier version says in place of a picture that it is no longer shown', () => {
    const result = (data: unknown): SessionEvent => ({
      type: 'tool.finished',
      call: 'c',
      tool: 'x',
      result: { success: true, data },
    });
    const note = expect.stringContaining('no longer shown') as unknown;
    const old: readonly (readonly [unknown, unknown])[] = [
      [
        { imageData: 'QUJD', mimeType: 'image/png', width: 1 },
        { imageData: note, mimeType: 'image/png', width: 1 },
      ],
      [
        { output: '', images: [{ data: 'QUJD', mimeType: 'image/png' }] },
        { output: '', images: note },
      ],
      [{ images: ['alpine', 'debian'] }, { images: ['alpine', 'debian'] }],
    ];
    const events = old.map(([data], index) => fact(index + 1, result(data)));
    for (const path of [written(events), written(...events.map((event) => [event]))]) {
      const read = readJournal(path);
      expect(read.ok && read.value.envelopes.map(({ event }) => event)).toEqual(old.map(([, data]) => result(data)));
    }
  });

  test('of an earlier version has its approvals, and keeps what a text says of them', () => {
    const reasons = ['says "tone":"red","rememberable":'];
    const approval = { askedAt: '', reasons, severe: true, rememberable: false, suggestions: [] };
    const asked: SessionEvent = { type: 'permission.asked', call: 'c', approval };
    const path = written([fact(1)], [fact(2, asked)]);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"severe":true', '"tone":"red"'));
    expect(readJournal(path)).toMatchObject({ value: { envelopes: [{}, { event: asked }], skipped: [] } });
  });

  test('goes on after a torn line: the torn part is gone and the next fact stands on a line of its own', () => {
    const path = written([fact(1)], [fact(2)]);
    truncateSync(path, statSync(path).size - 5);
    const read = readJournal(path);
    if (!read.ok) throw new Error(read.error.message);
    expect({ seqs: read.value.envelopes.length, torn: read.value.torn }).toEqual({ seqs: 1, torn: true });
    const journal = continueJournal(path, read.value.wholeBytes);
    journal.append([fact(2)]);
    journal.close();
    expect(facts(path)).toEqual([1, 2]);
  });

  test('S6 of a newer version it is not read, and opening it leaves every byte', () => {
    const path = written([fact(1)]);
    const text = readFileSync(path, 'utf8').replace(`{"journal":${journalVersion}}`, '{"journal":999}');
    writeFileSync(path, text);
    const read = readJournal(path);
    expect(read).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('that is none, or lacks its first fact, is left as it is', () => {
    const path = written([fact(1)]);
    writeFileSync(path, 'hello\n');
    expect(facts(path)).toBe('CONFIG_INVALID');
    writeFileSync(path, `{"journal":${journalVersion}}\n{"no":"fact"}\n${JSON.stringify(fact(2))}\n`);
    expect(facts(path)).toBe('CONFIG_INVALID');
    expect(facts(join(testFolder(), 'none'))).toBe('SESSION_NOT_FOUND');
  });

  test.each([
    ['no JSON', 'not json', 'not JSON'],
    ['no fact', '{"seq":2}', 'at: '],
    ['a fact without its number', JSON.stringify({ ...fact(2), seq: '2' }), 'seq: '],
    ['a fact that lacks a property', line({ type: 'session.renamed' }), 'event.title: '],
    ['a fact with a property of another type', line({ type: 'tool.started', call: 7 }), 'event.call: '],
    [
      'a value that is none of the list',
      line({ type: 'phase.changed', from: 'X', to: 'DONE', cause: '' }),
      'event.from',
    ],
    [
      'a fault deep inside',
      line({ type: 'plan.reported', replan: false, steps: [{ id: 's' }] }),
      'event.steps.0.intent',
    ],
    ['facts of which one is none', JSON.stringify([fact(2), { no: 'fact' }]), 'seq: '],
  ])('skips a line that holds %s, says which and why, and reads on', (_what, damaged, why) => {
    const path = written([fact(1)]);
    appendFileSync(path, `${damaged}\n${JSON.stringify(fact(3))}\n`);
    const before = readFileSync(path, 'utf8');
    const read = readJournal(path);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.envelopes).toEqual([fact(1), fact(3)]);
    expect(read.value.skipped).toEqual([{ line: 3, why: expect.stringContaining(why) }]);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  test('counts thousands of damaged lines, and describes the first five alone', () => {
    const path = written([fact(1)]);
    appendFileSync(path, `${line({ type: 'session.renamed' })}\n`.repeat(3_000) + `${JSON.stringify(fact(3))}\n`);
    vi.mocked(envelopeFault).mockClear();
    const read = readJournal(path);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.envelopes).toEqual([fact(1), fact(3)]);
    expect(read.value.skippedCount).toBe(3_000);
    expect(read.value.skipped.map((one) => one.line)).toEqual([3, 4, 5, 6, 7]);
    expect(vi.mocked(envelopeFault)).toHaveBeenCalledTimes(5);
  });

  test('keeps a fact of a kind that only a newer version knows', () => {
    const path = written([fact(1)]);
    appendFileSync(path, line({ type: 'session.sung', song: 1 }) + '\n');
    expect(facts(path)).toEqual([1, 2]);
  });

  test('an existing one is never begun anew, and a closed one takes nothing', () => {
    const path = written([fact(1)]);
    expect(() => createJournal(path)).toThrow('EEXIST');
    const read = readJournal(path);
    const journal = continueJournal(path, read.ok ? read.value.wholeBytes : 0);
    journal.close();
    journal.close();
    expect(() => journal.append([fact(2)])).toThrow('closed');
  });
});

test.skipIf(!existsSync('/dev/full'))(
  'N2 where not even the half line can be cut off, the reason is told and nothing follows it (needs /dev/full)',
  () => {
    const journal = continueJournal('/dev/full', 0); // every write to it fails as on a full disk, and it has no length
    expect(() => journal.append([fact(1)])).toThrow('ENOSPC');
    expect(() => journal.append([fact(1)])).toThrow('closed');
  },
);

const canMount =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

test.skipIf(!canMount)(
  'N2 on a really full disk only whole lines stay, and once there is room it goes on (skipped without the right to mount)',
  ({ skip }) => {
    const folder = testFolder();
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status !== 0) return skip('no mount');
    try {
      const path = join(folder, 'journal.jsonl');
      const journal = createJournal(path);
      const long = (seq: number): Envelope => fact(seq, { type: 'session.renamed', title: 'x'.repeat(3_000) });
      let seq = 0;
      const fill = (): void => {
        for (; seq < 100; seq += 1) journal.append([long(seq + 1)]);
      };
      writeFileSync(join(folder, 'filler'), Buffer.alloc(20_000));
      expect(fill).toThrow('ENOSPC');
      const whole = Array.from({ length: seq }, (_, index) => index + 1);
      expect(facts(path)).toEqual(whole);
      rmSync(join(folder, 'filler'));
      journal.append([fact(seq + 1)]);
      journal.close();
      expect(facts(path)).toEqual([...whole, seq + 1]);
    } finally {
      spawnSync('umount', [folder]);
    }
  },
);
