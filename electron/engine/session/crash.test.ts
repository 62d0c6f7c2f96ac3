import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { Item } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { treeOf, writeFiles } from '../workspace/testing/testFolder.ts';
import { readJournal } from './readJournal.ts';
import { replay } from './session.ts';

/** How many times a child is killed; the full run of the acceptance has 1,000. */
const kills = Number(process.env['VISE_CRASH_POINTS'] ?? 60);
const program = join(import.meta.dirname, '..', 'testing', 'crashWalk.ts');

const read = (filePath: string) => ({ tool: 'read_file', input: { filePath } });
const replies = [
  { text: 'I look.', calls: [read('a.txt'), read('b.txt'), { tool: 'list_directory', input: {} }] },
  { calls: [{ tool: 'report_findings', input: { key_findings: ['two files'], relevant_files: ['a.txt', 'b.txt'] } }] },
  {
    calls: [
      {
        tool: 'report_plan',
        input: {
          steps: [
            { intent: 'grow a', target_files: ['a.txt'] },
            { intent: 'grow b', target_files: ['b.txt'] },
            { intent: 'make c', target_files: ['new/c.txt'] },
          ],
        },
      },
    ],
  },
  // Inserting is not idempotent: done twice it would show.
  {
    calls: [
      { tool: 'insert_at', input: { filePath: 'a.txt', lineNumber: 1, content: 'again' } },
      { tool: 'insert_at', input: { filePath: 'b.txt', lineNumber: 1, content: 'again' } },
    ],
  },
  { text: 'Words are not accepted here.' },
  { calls: [{ tool: 'write_file', input: { filePath: 'new/c.txt', content: 'c\n' } }, read('a.txt')] },
  { calls: [read('b.txt'), { tool: 'report_done', input: { summary: 'grown' } }] },
  { text: 'All is done.' },
];

/** Edits that are answered together, two of them of one file. */
const together = [
  {
    text: 'I grow both.',
    calls: [
      { tool: 'insert_at', input: { filePath: 'a.txt', lineNumber: 1, content: 'again' } },
      { tool: 'insert_at', input: { filePath: 'b.txt', lineNumber: 1, content: 'again' } },
      { tool: 'insert_at', input: { filePath: 'a.txt', lineNumber: 2, content: 'and again' } },
    ],
  },
  { text: 'Grown.' },
];

interface Walk {
  run(killAt: number): Promise<{ readonly killed: boolean; readonly operations: number }>;
  outcome(): unknown;
}

function startWalk(script: readonly unknown[] = replies, ask = false): Walk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-crash-')));
  writeFiles(join(folder, 'project'), { 'a.txt': 'one\n', 'b.txt': 'two\r\n' });
  writeFileSync(join(folder, 'script.json'), JSON.stringify({ replies: script }));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    run: (killAt) => runChild(folder, killAt, ask),
    outcome: () => outcomeOf(folder),
  };
}

function runChild(
  folder: string,
  killAt: number,
  ask: boolean,
): Promise<{ readonly killed: boolean; readonly operations: number }> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
  const child = spawn(process.execPath, ['--no-warnings', program, folder, String(killAt), ask ? 'ask' : ''], { env });
  let out = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  let problems = '';
  child.stderr.on('data', (data: Buffer) => {
    problems += data.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve({ killed: true, operations: killAt });
      else if (code === 0 && problems === '') resolve({ killed: false, operations: Number(out) });
      else reject(new Error(`the child ended with ${String(code)}: ${problems}`));
    });
  });
}

/** The conversation and the files, without ids and times. */
function outcomeOf(folder: string): unknown {
  const sessions = join(folder, 'home', 'state', 'sessions');
  const states = readdirSync(sessions, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readJournal(join(sessions, name, 'journal.jsonl')))
    .flatMap((journal) => (journal.ok ? [replay(journal.value.envelopes)] : []))
    .filter(({ turns }) => turns > 0);
  const [state] = states;
  if (!state || states.length > 1) throw new Error(`there are ${states.length} sessions with a turn`);
  const order = new Map(callsOf(state).map(({ id }, index) => [id, `call ${index + 1}`]));
  return {
    items: [...itemsOf(state.items)].filter(({ kind }) => kind !== 'notice').map((item) => plain(item, order)),
    // Which of two reads that run side by side ends first is chance, with a kill or without.
    facts: { ...state.facts, filesRead: state.facts.filesRead.toSorted() },
    usage: state.usage,
    live: state.liveCalls,
    title: state.title,
    lastOutcome: state.lastOutcome,
    changes: state.changeSets.map(({ files, state: now }) => ({
      now,
      files: files.map(({ path, before, after, verdict, additions }) => ({ path, before, after, verdict, additions })),
    })),
    files: treeOf(join(folder, 'project')),
  };
}

function plain(item: Item, order: ReadonlyMap<string, string>): unknown {
  if (item.kind === 'call') {
    const { tool, input, state, intent, result } = item.call;
    return { id: order.get(item.call.id), tool, input, state, effects: intent?.effects, result: withoutTimes(result) };
  }
  const calls = item.kind === 'assistant' ? item.calls.map(({ id, ...call }) => ({ id: order.get(id), ...call })) : [];
  return { ...item, at: '', turn: '', calls };
}

function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (key, entry: unknown) => (/modified/i.test(key) ? '' : entry)));
}

/** Reproducible: the same points in every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Kills walks at random operations until none of the kills is left; each must end as the whole one did. */
async function killAndCompare(start: () => Walk, kills: number, operations: number, wanted: unknown): Promise<void> {
  const random = randomOf(1);
  let left = kills;
  const walkOn = async (): Promise<void> => {
    while (left > 0) {
      const walk = start();
      const points: number[] = [];
      for (;;) {
        // One kill anywhere in the first run; then others soon after, so that recovery itself is cut as well.
        const range = points.length === 0 ? operations : 40;
        const at = left <= 0 || points.length >= 3 ? 0 : 1 + Math.floor(random() * range);
        left -= 1;
        const { killed } = await walk.run(at);
        if (!killed) break;
        points.push(at);
      }
      expect(walk.outcome(), `killed before operations ${points.join(', ')}`).toEqual(wanted);
    }
  };
  await Promise.all([walkOn(), walkOn()]);
}

describe(`N1 a session that is killed (${kills} times)`, () => {
  test(
    'ends as the one that was not: nothing is done twice, nothing is lost',
    async () => {
      const whole = startWalk();
      const { operations } = await whole.run(0);
      const wanted = whole.outcome();
      expect(wanted).toMatchObject({
        lastOutcome: 'done',
        facts: { phase: 'DONE' },
        files: { 'a.txt': 'again\none\n', 'b.txt': 'again\r\ntwo\r\n', 'new/c.txt': 'c\n' },
      });
      await killAndCompare(() => startWalk(), kills, operations, wanted);
    },
    60_000 + kills * 10_000,
  );

  test(
    'ends so when the person answers several edits at once: all of them are written or none, and once',
    async () => {
      const whole = startWalk(together, true);
      const { operations } = await whole.run(0);
      const wanted = whole.outcome();
      expect(wanted).toMatchObject({
        lastOutcome: 'done',
        changes: [{ now: 'applied', files: [{ path: 'a.txt' }, { path: 'b.txt' }] }],
        files: { 'a.txt': 'again\nand again\none\n', 'b.txt': 'again\r\ntwo\r\n' },
      });
      await killAndCompare(() => startWalk(together, true), Math.ceil(kills / 2), operations, wanted);
    },
    60_000 + kills * 10_000,
  );
});
