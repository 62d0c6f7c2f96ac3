import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ServerReply, startModelServer } from '../../e2e/modelServer.ts';
import { execWords, inScratch, killExec, type RoundOf, task } from './kills.ts';
import { type Ended, runCommand, runNode } from './runProgram.ts';
import { type Scratch, withCommand, withoutCommand } from './scratch.ts';

const inject = pathToFileURL(join(import.meta.dirname, 'inject.ts')).href;

/** A process may fail in words; it may not be ended by the fault, nor show a fault of its own. */
export function crashed({ code, signal, problems }: Ended): readonly string[] {
  if (signal !== null || code === null) return [`it was ended by ${signal}: ${problems}`];
  return /\n\s+at .*(file:|node:|\.ts:)/.test(problems) ? [`it ended with a fault of its own: ${problems}`] : [];
}

/** The fault is over: the next message is answered, and what was begun is whole. */
async function goOn(scratch: Scratch, lost: string[], env = scratch.env): Promise<void> {
  const words = scratch.turn() === 'none' ? [task] : ['--continue', ...(scratch.turn() === 'ended' ? [task] : [])];
  const ended = await runNode([...execWords(scratch), ...words], env, scratch.project);
  if (ended.code !== 0 && ended.code !== 1) lost.push(`it did not go on, ${ended.code}: ${ended.problems}`);
  lost.push(...crashed(ended), ...scratch.faults(false));
}

/** `vise exec` with a fault of the disk or the clock. */
function withFault(fault: (random: () => number) => string): RoundOf {
  return (random) =>
    inScratch(withCommand, async (scratch, lost) => {
      const env = { ...scratch.env, SOAK_FAULT: fault(random) };
      const ended = await runNode(['--import', inject, ...execWords(scratch), task], env, scratch.project);
      lost.push(...crashed(ended).map((what) => `${env.SOAK_FAULT}: ${what}`));
      await goOn(scratch, lost);
      return 1;
    });
}

const someWrites = (code: string) => (random: () => number) =>
  `${code}:${1 + Math.floor(random() * 300)}:${1 + Math.floor(random() * 60)}`;

export const diskFull = withFault(someWrites('ENOSPC'));
export const diskFails = withFault(someWrites('EIO'));
export const readOnly = withFault(someWrites('EROFS'));
/** Every wait for the disk takes so long. */
export const slowSync = (ms: number): RoundOf => withFault(() => `sync:${ms}`);
export const clockJumps = withFault(() => 'clock:3600000');

/** As few descriptors as a shell may give. */
export const fewDescriptors: RoundOf = () =>
  inScratch(withCommand, async (scratch, lost) => {
    if (process.platform === 'win32') return 0;
    const words = [process.execPath, '--no-warnings', ...execWords(scratch), task];
    const args = ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...words];
    lost.push(...crashed(await runCommand('sh', args, scratch.env, scratch.project)));
    await goOn(scratch, lost);
    return 1;
  });

/** The machine sleeps in the middle. */
export const sleeps: RoundOf = (random) =>
  inScratch(withCommand, async (scratch, lost) => {
    const lines = 1 + Math.floor(random() * 12);
    let seen = 0;
    let slept = false;
    const ended = await runNode([...execWords(scratch), task], scratch.env, scratch.project, (child, printed) => {
      seen += printed?.split('\n').length ?? 0;
      if (slept || seen < lines) return;
      slept = true;
      child.kill('SIGSTOP');
      setTimeout(() => child.kill('SIGCONT'), 1_500);
    });
    if (ended.code !== 0) lost.push(`after a sleep it ended with ${ended.code}: ${ended.problems}`);
    lost.push(...scratch.faults(true));
    return slept ? 1 : 0;
  });

const chaos: readonly ServerReply[] = [
  { fault: 'reset' },
  { text: 'half of an answer that is cut', fault: 'cut' },
  { text: 'junk in it', fault: 'junk' },
  { text: '', finishReason: null, fault: 'noFinish' },
  { status: 500, body: 'no' },
  { status: 429, headers: { 'retry-after': '0' }, body: '{"error":{"message":"slow down"}}' },
  { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>a portal</html>' },
  { calls: [{ tool: 'no_such_tool', input: {} }] },
  { raw: 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"insert_at","arguments":"{\\"fi' },
];

/** A provider that fails in all of its ways between the replies. */
export const providerChaos: RoundOf = (random) =>
  inScratch(withoutCommand, async (scratch, lost) => {
    const replies = (withoutCommand as readonly ServerReply[]).flatMap((reply) => {
      const faults = chaos.filter(() => random() < 0.15);
      return [...faults, reply];
    });
    const server = await startModelServer({ replies });
    try {
      const env = { ...scratch.env, LLM_BASE_URL: server.url, LLM_MODEL: 'test', LLM_API_KEY: 'secret-key' };
      const words = execWords(scratch).filter((word) => !['--provider', 'scripted', '--script'].includes(word));
      const args = [...words.filter((word) => word !== scratch.script), task];
      lost.push(...crashed(await runNode(args, env, scratch.project)), ...scratch.faults(false));
      if (scratch.turn() !== 'ended') lost.push('the turn did not end');
      return 1;
    } finally {
      await server.close();
    }
  });

/** Several at once, each of them killed. */
export const manyAtOnce: RoundOf = async (random) => {
  const rounds = await Promise.all(Array.from({ length: 4 }, () => killExec(random)));
  return { hits: rounds.reduce((sum, { hits }) => sum + hits, 0), lost: rounds.flatMap(({ lost }) => lost) };
};
