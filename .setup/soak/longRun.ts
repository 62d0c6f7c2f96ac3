import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { memoryOf } from '../../bench/measure/processTree.ts';
import { connect } from '../../e2e/harness/connect.ts';
import { type Server, startServer } from '../../e2e/harness/server.ts';
import { until } from '../../e2e/harness/until.ts';
import type { Result } from '../../shared/result.ts';
import { inScratch, type RoundOf } from './kills.ts';
import type { Scratch } from './scratch.ts';

// Months of work in one engine: sessions of ten turns and fifteen commands, four at once, each under a window of its own
// that goes when its session is done. Measured are the engine's memory and descriptors before and after, both at rest,
// and what the state folder holds once it is cleaned, a day later. What grows with the work is what is held after a
// collection; resident memory is told beside it, of which V8 and the allocator keep a part for work to come.

const turnsEach = 10;
const atOnce = 4;
/** As many sessions as stay open at rest have been used before the first look. */
const warmSessions = 8;
const maxOutputMb = 1;
const day = 24 * 3_600_000;
/** How long a rest may take until what nobody uses is closed, ms. */
const restLimitMs = 120_000;
/** A host that has rested for a minute gives memory back. */
export const usualRestMs = 130_000;
const collector = pathToFileURL(join(import.meta.dirname, 'collect.ts')).href;

/** Another one each time: the same again and again is held to be a loop. */
const command = (turn: number, at: number, outputBytes: number) => ({
  tool: 'run',
  input: { command: `echo ${turn} ${at}; head -c ${outputBytes} /dev/zero | tr '\\0' x` },
});
/** A command in one turn, two in the next. */
const repliesOf = (outputBytes: number) =>
  Array.from({ length: turnsEach }, (_, turn) => [
    ...Array.from({ length: 1 + (turn % 2) }, (_, at) => ({ calls: [command(turn, at, outputBytes)] })),
    { text: 'Done.' },
  ]).flat();

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** One session from its first message to its last; the commands that have run. */
async function work(url: string, project: string, turns: number): Promise<number> {
  const client = await connect(url);
  try {
    const { session } = valueOf(await client.call('session.create', { project, mode: 'direct' }));
    let commands = 0;
    let ended: (() => void) | undefined;
    client.onEvent(({ event, session: of }) => {
      if (of !== session) return;
      if (event.type === 'permission.asked')
        void client.call('permission.answer', { session, call: event.call, decision: 'once' });
      if (event.type === 'tool.finished' && event.result.success) commands += 1;
      if (event.type === 'turn.finished') ended?.();
    });
    valueOf(await client.call('session.watch', { session }));
    for (let turn = 0; turn < turns; turn += 1) {
      const over = Promise.withResolvers<void>();
      ended = over.resolve;
      valueOf(await client.call('session.send', { session, text: 'Go on.' }));
      await over.promise;
    }
    return commands;
  } finally {
    client.close();
  }
}

const descriptorsOf = ({ pid }: Server): number => readdirSync(`/proc/${pid}/fd`).length;

interface AtRest {
  /** Resident bytes, before the collection. */
  readonly resident: number;
  /** Bytes that are held after a collection. */
  readonly held: number;
  readonly descriptors: number;
}

/** Waits until no more than so many descriptors are open, or they have been the same for five seconds where none are named. */
async function rest(server: Server, heapFile: string, restMs: number, atMost?: number): Promise<AtRest> {
  let descriptors = descriptorsOf(server);
  let since = performance.now();
  for (const end = since + restLimitMs; performance.now() < end; await pause(250)) {
    const now = descriptorsOf(server);
    if (now !== descriptors) since = performance.now();
    descriptors = now;
    if (atMost === undefined ? performance.now() - since > 5_000 : descriptors <= atMost) break;
  }
  await pause(restMs);
  const resident = memoryOf(server.pid, 'VmRSS');
  rmSync(heapFile, { force: true });
  process.kill(server.pid, 'SIGUSR2');
  const told = (): string => (existsSync(heapFile) ? readFileSync(heapFile, 'utf8') : '');
  const held = Number(await until('the size of the heap', () => told().endsWith('\n') && told()));
  return { resident, held, descriptors };
}

/** Outputs are a day old: the newest are never removed. */
function growOld(folder: string): void {
  const then = new Date(Date.now() - day);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), then, then);
}

async function measure(scratch: Scratch, server: Server, turns: number, restMs: number, lost: string[]) {
  const { project } = scratch;
  for (let warm = 0; warm < warmSessions; warm += 1) await work(server.url, project, 1);
  const heapFile = join(scratch.folder, 'heap');
  const before = await rest(server, heapFile, restMs);
  let left = Math.ceil(turns / turnsEach);
  const sessions = left;
  let commands = 0;
  const worker = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      const ran = await work(server.url, project, turnsEach);
      commands += ran;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const after = await rest(server, heapFile, restMs, before.descriptors);
  const client = await connect(server.url);
  growOld(join(scratch.home, 'state', 'tasks'));
  const { freedBytes } = valueOf(await client.call('storage.clean', {}));
  const { kinds, totalBytes } = valueOf(await client.call('storage.read', {}));
  client.close();
  const outputs = kinds.find(({ kind }) => kind === 'outputs')?.sizeBytes ?? 0;
  const wanted = (sessions * turnsEach * 3) / 2;
  if (commands !== wanted) lost.push(`${commands} commands ran of ${wanted}`);
  if (after.descriptors > before.descriptors)
    lost.push(`${after.descriptors} descriptors are open after a rest, ${before.descriptors} before`);
  const growth = after.held - before.held;
  if (growth > 0.2 * before.resident)
    lost.push(`${growth} bytes more are held after a rest; ${before.resident} were resident`);
  if (outputs > maxOutputMb * 1024 * 1024) lost.push(`outputs hold ${outputs} bytes beyond their limit`);
  return {
    sessions,
    turns: sessions * turnsEach,
    commands,
    heldMb: [before.held, after.held].map((bytes) => Math.round(bytes / 1e6)),
    residentMb: [before.resident, after.resident].map((bytes) => Math.round(bytes / 1e6)),
    descriptors: [before.descriptors, after.descriptors],
    outputsMb: Number((outputs / 1e6).toFixed(2)),
    freedMb: Number((freedBytes / 1e6).toFixed(2)),
    stateMb: Number((totalBytes / 1e6).toFixed(2)),
  };
}

/** So many turns, whose commands print so much each, and a rest before each look; memory and descriptors are read from /proc. */
export const longRun =
  (turns: number, outputBytes: number, restMs: number): RoundOf =>
  async () => {
    if (process.platform !== 'linux') return { hits: 0, lost: [], skipped: 'memory is read from /proc' };
    let figures: Awaited<ReturnType<typeof measure>> | undefined;
    const round = await inScratch(repliesOf(outputBytes), async (scratch, lost) => {
      const config = join(scratch.home, 'config');
      mkdirSync(config, { recursive: true });
      writeFileSync(join(config, 'config.json'), JSON.stringify({ settings: { storage: { maxOutputMb } } }));
      const { folder: home, project, script } = scratch;
      const options = { NODE_OPTIONS: `--expose-gc --import ${collector}`, SOAK_HEAP: join(scratch.folder, 'heap') };
      const env = { ...scratch.env, ...options };
      const args = ['--provider', 'scripted', '--script', script];
      const server = await startServer({ home, project, args, env });
      try {
        figures = await measure(scratch, server, turns, restMs, lost);
      } finally {
        await server.stop();
      }
      return turns;
    });
    return { ...round, figures };
  };
