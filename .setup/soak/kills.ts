import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../e2e/harness/connect.ts';
import { productRoot } from '../../e2e/harness/folders.ts';
import { startServer } from '../../e2e/harness/server.ts';
import type { Client } from '../../shared/contract/client.ts';
import { liveCallsOf } from '../../shared/model/reduce.ts';
import { findLeftovers } from '../leftovers.ts';
import { cli, type Ended, runNode } from './runProgram.ts';
import { makeScratch, type Scratch, withCommand, withoutCommand } from './scratch.ts';

/** What one round tells: how many kills hit, and everything that was lost. */
export interface Round {
  readonly hits: number;
  readonly lost: readonly string[];
  /** Why it cannot be tried here. */
  readonly skipped?: string;
  /** What it measured. */
  readonly figures?: Readonly<Record<string, unknown>> | undefined;
}

/** One way to end something in the middle, followed by everything that must be as if it had not been. */
export type RoundOf = (random: () => number) => Promise<Round>;

const walk = join(productRoot, 'electron', 'engine', 'testing', 'crashWalk.ts');
export const execWords = (scratch: Scratch): readonly string[] => [
  ...[cli, 'exec', '--provider', 'scripted', '--script', scratch.script, '--mode', 'direct'],
  ...['--allow', 'dangerous', '--trust-workspace', '--project', scratch.project],
];
export const task = 'Do it.';

export async function inScratch(
  replies: readonly unknown[],
  act: (scratch: Scratch, lost: string[]) => Promise<number>,
): Promise<Round> {
  const scratch = makeScratch(replies);
  const lost: string[] = [];
  try {
    const hits = await act(scratch, lost);
    return { hits, lost };
  } catch (error) {
    return { hits: 0, lost: [...lost, `the round failed: ${error instanceof Error ? error.message : String(error)}`] };
  } finally {
    scratch.remove();
  }
}

/** Somebody else opens the project before its session is, and the person has written meanwhile. */
async function openByAnother(scratch: Scratch, lost: string[]): Promise<void> {
  scratch.personWrites();
  const words = ['tool', 'read_file', '--filePath', 'a.txt', '--project', scratch.project];
  const other = await runNode([cli, ...words], scratch.env, scratch.folder);
  if (other.code !== 0) lost.push(`another command ended with ${other.code}: ${other.problems}`);
  lost.push(...scratch.faults(false).map((fault) => `after another command: ${fault}`));
}

/** The engine, before a chosen operation of its disk, during a turn whose edits are answered together; up to three times. */
export const killEngine: RoundOf = (random) =>
  inScratch(withoutCommand, async (scratch, lost) => {
    for (let hits = 0; ; hits += 1) {
      const at = hits >= 3 ? 0 : 1 + Math.floor(random() * (hits === 0 ? 450 : 60));
      const walked = await runNode([walk, scratch.folder, String(at), 'ask'], scratch.env, scratch.folder);
      if (walked.signal === null) {
        if (walked.code !== 0) lost.push(`the engine ended with ${walked.code}: ${walked.problems}`);
        lost.push(...scratch.faults(true));
        return hits;
      }
      if (random() < 0.5) await openByAnother(scratch, lost);
    }
  });

/** Goes on with the turn, or begins it where it was never kept. */
async function finishByExec(scratch: Scratch, lost: string[]): Promise<void> {
  const words = { none: [task], open: ['--continue'], ended: undefined }[scratch.turn()];
  if (words === undefined) return;
  const ended = await runNode([...execWords(scratch), ...words], scratch.env, scratch.project);
  if (ended.code !== 0) lost.push(`vise exec ended with ${ended.code}: ${ended.problems}`);
}

/** `vise exec`, a moment after one of the lines that it prints. */
export const killExec: RoundOf = (random) =>
  inScratch(withCommand, async (scratch, lost) => {
    const lines = Math.floor(random() * 14);
    const afterMs = random() * 40;
    let seen = 0;
    const words = [...execWords(scratch), task];
    const ended = await runNode(words, scratch.env, scratch.project, (child, printed) => {
      seen += printed?.split('\n').length ?? 1;
      if (seen > lines) setTimeout(() => child.kill('SIGKILL'), afterMs);
    });
    const isHit = ended.signal === 'SIGKILL';
    if (isHit && random() < 0.5) await openByAnother(scratch, lost);
    await finishByExec(scratch, lost);
    lost.push(...scratch.faults(true));
    return isHit ? 1 : 0;
  });

/** The PTY host below a running command: the turn goes on, and nothing that it ran stays behind. */
export const killPtyHost: RoundOf = (random) =>
  inScratch(withCommand, async (scratch, lost) => {
    let ended: Ended | undefined;
    const run = runNode([...execWords(scratch), task], scratch.env, scratch.project).then((end) => (ended = end));
    let hits = 0;
    while (!ended && hits === 0) {
      const host = findLeftovers(0, `SOAK_MARK=${scratch.mark}`).find(({ command }) => command.includes('ptyHost.js'));
      if (host) {
        await pause(random() * 400);
        try {
          process.kill(host.pid, 'SIGKILL');
          hits = 1;
        } catch {
          // it has ended by itself
        }
      } else await pause(5);
    }
    const { code, signal, problems } = await run;
    if (signal !== null || code === null) lost.push(`vise exec did not outlive its PTY host: ${problems}`);
    lost.push(...scratch.faults(true));
    for (let left = 100; scratch.leftovers().length > 0 && left > 0; left -= 1) await pause(50);
    if (scratch.leftovers().length > 0) lost.push('a process of a command is left');
    return hits;
  });

export async function answerAll(client: Client, session: string): Promise<void> {
  const watched = await client.call('session.watch', { session });
  if (!watched.ok) return;
  for (const { id, state } of liveCallsOf(watched.value.state))
    if (state === 'waiting') await client.call('permission.answer', { session, call: id, decision: 'once' });
}

/** `vise serve`, while a window answers one question after the other. */
export const killPage: RoundOf = (random) =>
  inScratch(withCommand, async (scratch, lost) => {
    const args = ['--provider', 'scripted', '--script', scratch.script];
    const start = () => startServer({ home: scratch.folder, project: scratch.project, args, env: { ...scratch.env } });
    const facts = 3 + Math.floor(random() * 40);
    let session: string | undefined;
    let hits = 0;
    for (let round = 0; round < 2; round += 1) {
      const server = await start();
      const client = await connect(server.url);
      let seen = 0;
      const over = Promise.withResolvers<'ended' | 'killed'>();
      client.onClose(() => over.resolve('killed'));
      client.onEvent(({ event, session: of }) => {
        seen += 1;
        if (round === 0 && seen === facts) process.kill(server.pid, 'SIGKILL');
        if (event.type === 'permission.asked') void answerAll(client, of).catch(() => undefined);
        if (event.type === 'turn.finished') over.resolve('ended');
      });
      try {
        await drive(client, scratch, session, (id) => {
          session = id;
        });
        if (scratch.turn() !== 'ended' && (await over.promise) === 'killed') hits += 1;
      } catch (error) {
        if (round > 0) throw error;
        hits += 1; // the server went away under a question
      }
      client.close();
      if (round > 0 || hits === 0) await server.stop();
      else await server.kill();
      if (hits === 0) break;
    }
    lost.push(...scratch.faults(true));
    return hits;
  });

/** Begins the turn or goes on with it, as a person at the window does. */
async function drive(
  client: Client,
  scratch: Scratch,
  known: string | undefined,
  made: (session: string) => void,
): Promise<void> {
  const turn = scratch.turn();
  let session = known;
  if (session === undefined || turn === 'none') {
    const created = await client.call('session.create', { project: scratch.project, mode: 'direct' });
    if (!created.ok) throw new Error(created.error.message);
    session = created.value.session;
    made(session);
  }
  const watched = await client.call('session.watch', { session });
  if (!watched.ok) throw new Error(watched.error.message);
  if (turn === 'none') await client.call('session.send', { session, text: task });
  else if (watched.value.state.interrupted !== null) await client.call('session.continue', { session });
  await answerAll(client, session);
}
