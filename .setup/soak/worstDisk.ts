import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../e2e/harness/connect.ts';
import { startServer } from '../../e2e/harness/server.ts';
import type { Client } from '../../shared/contract/client.ts';
import { crashed } from './faults.ts';
import { answerAll, execWords, inScratch, task } from './kills.ts';
import { runNode } from './runProgram.ts';
import { type Scratch, withCommand } from './scratch.ts';

/**
 * One round on the disk below the temporary folder, which is this process's own (realDisk.ts):
 *
 *     node worstDisk.ts full|readOnly|descriptors exec|serve FACTS
 *
 * After so many facts the disk is full (`readOnly`: from the beginning on); when Vise has said what it cannot do, it is as before
 * again, and Vise must go on. Prints the round as JSON.
 */
const [kind = '', host = '', facts = '1'] = process.argv.slice(2);
const filler = join(tmpdir(), 'filler');
/** What hangs is no answer, ms. */
const patienceMs = 60_000;

/** Writes until nothing more fits. */
function fill(): void {
  const file = openSync(filler, 'w');
  for (let size = 1024 * 1024; size >= 1; ) {
    try {
      writeSync(file, Buffer.alloc(size, 1));
    } catch {
      size = Math.floor(size / 2);
    }
  }
  closeSync(file);
}

const remount = (how: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${how}`, tmpdir()]);

function begin(): void {
  if (kind === 'full') fill();
  if (kind === 'readOnly') remount('ro');
}

function end(): void {
  if (kind === 'full') rmSync(filler, { force: true });
  if (kind === 'readOnly') remount('rw');
}

async function byExec(scratch: Scratch, lost: string[]): Promise<number> {
  const words = execWords(scratch);
  if (kind === 'readOnly') begin();
  let seen = 0;
  const first = await runNode([...words, task], scratch.env, scratch.project, (_child, text) => {
    seen += text === undefined ? 0 : text.split('\n').length;
    if (kind === 'full' && seen >= Number(facts) / 3 && seen > 0) {
      seen = Number.NEGATIVE_INFINITY;
      begin();
    }
  });
  lost.push(...crashed(first));
  if (first.code !== 0 && first.problems.trim() === '') lost.push('vise exec ended without a word');
  end();
  const next = scratch.turn() === 'none' ? [task] : ['--continue', ...(scratch.turn() === 'ended' ? [task] : [])];
  const second = await runNode([...words, ...next], scratch.env, scratch.project);
  lost.push(...crashed(second), ...scratch.faults(false));
  // 1: the script may have been left in its middle, where what follows cannot be done any more.
  if (second.code !== 0 && second.code !== 1)
    lost.push(`with room again vise exec ended with ${second.code}: ${second.problems}`);
  return 1;
}

/** What the window is told of a turn: how it ended, or why it could not begin. */
async function turn(client: Client, session: string, lost: string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const forget = client.onEvent(({ event, session: of }) => {
    if (of !== session) return;
    if (event.type === 'permission.asked') void answerAll(client, session);
    if (event.type === 'turn.finished')
      resolve(`${event.outcome} ${event.error?.code ?? ''} ${event.error?.message ?? ''}`.trim());
  });
  const late = setTimeout(() => resolve('silence'), patienceMs);
  try {
    const sent = await client.call('session.send', { session, text: task });
    if (!sent.ok) resolve(sent.error.code);
    const told = await promise;
    if (told === 'silence' || told.includes('INTERNAL')) lost.push(`the turn ended with ${told}`);
    return told;
  } finally {
    clearTimeout(late);
    forget();
  }
}

async function byServe(scratch: Scratch, lost: string[]): Promise<number> {
  const args = ['--provider', 'scripted', '--script', scratch.script];
  if (kind === 'readOnly') begin();
  const server = await startServer({ home: scratch.folder, project: scratch.project, args, env: { ...scratch.env } });
  try {
    const client = await connect(server.url);
    let seen = 0;
    client.onEvent(() => {
      seen += 1;
      if (kind === 'full' && seen === Number(facts)) begin();
    });
    const open = async (): Promise<string | undefined> => {
      const created = await client.call('session.create', { project: scratch.project, mode: 'direct' });
      if (!created.ok && created.error.code === 'INTERNAL') lost.push(`a session ends with ${created.error.message}`);
      if (created.ok) await client.call('session.watch', created.value);
      return created.ok ? created.value.session : undefined;
    };
    const session = await open();
    if (session !== undefined) await turn(client, session, lost);
    await open(); // others may begin or are told why not
    if (!(await client.call('workbench.watch', {})).ok) lost.push('the engine answers no more');
    end();
    const again = session ?? (await open());
    if (again === undefined) lost.push('with room again no session begins');
    else {
      const told = await turn(client, again, lost);
      if (/DISK_FULL|FILE_WRITE_ERROR/.test(told)) lost.push(`with room again a turn ends with ${told}`);
    }
    client.close();
    if (/\n\s+at .*(file:|node:|\.ts:)/.test(server.diagnostics())) lost.push(`a fault: ${server.diagnostics()}`);
  } finally {
    await server.stop();
  }
  lost.push(...scratch.faults(false));
  return 1;
}

const round = await inScratch(withCommand, async (scratch, lost) => {
  try {
    return await (host === 'exec' ? byExec : byServe)(scratch, lost);
  } finally {
    end(); // else nothing can be taken away
  }
});
process.stdout.write(`\n${JSON.stringify(round)}\n`);
