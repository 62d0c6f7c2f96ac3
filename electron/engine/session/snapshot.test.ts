import { appendFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { started } from '../testing/startedEvent.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { createJournal, journalVersion } from './journal.ts';
import { keepSnapshots } from './keepSnapshots.ts';
import { type RestoredSession, restoreSession } from './restore.ts';
import { createSession, type Session } from './session.ts';
import { writeSnapshot } from './snapshot.ts';

const version = '1';
const answer = (turn: string, text: string): readonly SessionEvent[] => [
  { type: 'turn.started', turn, text: 'Go.' },
  { type: 'message', turn, role: 'assistant', text },
  { type: 'turn.finished', turn, outcome: 'answered', text },
];

function startSession(clock = new ManualClock()): Session {
  const folder = testFolder();
  const journal = createJournal(join(folder, 'journal.jsonl'));
  const session = createSession({ id: 's', folder, journal, clock, publish: () => undefined });
  for (const event of [started, ...answer('t1', 'One.')]) session.emit(event);
  return session;
}

function restored(folder: string, from?: 'journal'): RestoredSession {
  const read = restoreSession(folder, from ? undefined : version);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

const plain = { redact: (text: string) => text, isWanted: () => true };

async function snapshotOf({ folder, at }: Session, options: Partial<typeof plain> = {}): Promise<void> {
  if (!at) throw new Error('the session does not rest');
  await writeSnapshot(folder, version, at, { ...plain, ...options });
}

test('opening a session reads what came after its snapshot, and makes of it what the whole journal makes', async () => {
  const session = startSession();
  for (let turn = 2; turn < 200; turn += 1) for (const event of answer(`t${turn}`, 'More.')) session.emit(event);
  await snapshotOf(session);
  const size = session.at?.wholeBytes ?? 0;
  for (const event of answer('last', 'Last.')) session.emit(event);
  const opened = restored(session.folder);
  expect(opened.readBytes).toBe((session.at?.wholeBytes ?? 0) - size);
  const { readBytes, ...whole } = restored(session.folder, 'journal');
  expect(opened).toEqual({ ...whole, readBytes: opened.readBytes });
  expect({ readBytes, state: whole.state }).toEqual({ readBytes: session.at?.wholeBytes, state: session.state });
  // The line of the list needs no timeline.
  const line = restoreSession(session.folder, version, { items: false });
  expect(line).toMatchObject({ ok: true, value: { seq: session.seq, state: { turns: 200, items: [[{}, {}, {}]] } } });
  session.dispose();
});

test.each<[string, (folder: string) => void]>([
  ['is torn', (folder) => truncateSync(join(folder, 'snapshot.jsonl'), 900)],
  ['lacks a piece', (folder) => edit(folder, 'snapshot.jsonl', (text) => text.replace(/^\{"kind".*\n/m, ''))],
  ['is of another version of Vise', (folder) => edit(folder, 'snapshot.jsonl', (text) => text.replace('"1"', '"2"'))],
  ['is no snapshot', (folder) => writeFileSync(join(folder, 'snapshot.jsonl'), 'null\n')],
  ['is of another journal', (folder) => edit(folder, 'journal.jsonl', (text) => text.replace('One', 'Eno'))],
])('a snapshot that %s counts as none', async (_what, damage) => {
  const session = startSession();
  await snapshotOf(session);
  expect(restored(session.folder).readBytes).toBe(0);
  damage(session.folder);
  const { readBytes, wholeBytes } = restored(session.folder);
  expect(readBytes).toBe(wholeBytes);
  session.dispose();
});

test('S6 a snapshot opens no journal of a newer version, and none that is gone', async () => {
  const session = startSession();
  await snapshotOf(session);
  edit(session.folder, 'journal.jsonl', (text) => text.replace(`{"journal":${journalVersion}}`, '{"journal":9}'));
  expect(restoreSession(session.folder, version)).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
  session.dispose();
});

test('a damaged line after a snapshot is told by its number in the whole journal', async () => {
  const session = startSession();
  await snapshotOf(session);
  appendFileSync(join(session.folder, 'journal.jsonl'), 'damaged\n');
  expect(restored(session.folder).skipped).toEqual([{ line: 6, why: 'not JSON' }]);
  session.dispose();
});

test('S5 a snapshot holds no key, and one that is not wanted any more leaves nothing', async () => {
  const session = startSession();
  for (const event of answer('t2', 'my-secret-key')) session.emit(event);
  await snapshotOf(session, { isWanted: () => false });
  expect(readdirSync(session.folder)).toEqual(['journal.jsonl']);
  await snapshotOf(session, { redact: (text) => text.replaceAll('my-secret-key', '***') });
  const kept = readFileSync(join(session.folder, 'snapshot.jsonl'), 'utf8');
  expect({ key: kept.includes('my-secret-key'), place: kept.includes('***') }).toEqual({ key: false, place: true });
  session.dispose();
});

test('a snapshot is taken once much has come since the last one, and never of what the journal lacks', async () => {
  const clock = new ManualClock();
  const session = startSession(clock);
  const keeper = keepSnapshots(session, 0, { version, redact: plain.redact, clock });
  const path = join(session.folder, 'snapshot.jsonl');
  keeper.rested();
  clock.advance(10_000);
  expect(existsSync(path)).toBe(false);
  for (const event of answer('t2', 'x'.repeat(9 * 1024 * 1024))) session.emit(event);
  keeper.rested();
  clock.advance(10_000);
  await expect.poll(() => existsSync(path)).toBe(true);
  const { readBytes, state } = restored(session.folder);
  expect({ readBytes, state }).toEqual({ readBytes: 0, state: session.state });
  session.announce({ type: 'notice', level: 'error', code: 'x', text: 'only said' });
  expect(session.at).toBeUndefined();
  keeper.dispose();
  session.dispose();
});

function edit(folder: string, name: string, change: (text: string) => string): void {
  const path = join(folder, name);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
