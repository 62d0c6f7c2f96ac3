import type { ServerReply } from '../e2e/modelServer.ts';
import { openLab, stepsOf } from './measure/agentRun.ts';
import { compare, isSmoke, report } from './measure/report.ts';
import { summarize } from './measure/statistics.ts';

// What a turn costs beside the model: a reply with one call, the call, the next request. A file is read, and a command is
// run, 200 times in one conversation; the last turns must not be slower than the first (turnFlatness*: last 50 : first 50).

const turns = isSmoke ? 4 : 200;
const files = Object.fromEntries(Array.from({ length: turns }, (_, index) => [`file${index}.txt`, `${index}\n`]));
const lab = openLab(files);

/** No two calls are the same: repeated ones are held up on purpose. */
const calls = {
  Read: (turn: number): ServerReply => ({
    calls: [{ tool: 'read_file', input: { filePath: `file${turn}.txt` } }],
  }),
  Shell: (turn: number): ServerReply => ({ calls: [{ tool: 'run', input: { command: `echo ${turn}` } }] }),
} as const;

try {
  for (const [name, call] of Object.entries(calls)) {
    const replies = [...Array.from({ length: turns }, (_, turn) => call(turn)), { text: 'Done.' }];
    const ours = stepsOf(await lab.run('ours', replies));
    const reference = stepsOf(await lab.run('reference', replies));
    report(compare(`turnOverhead${name}`, 'ms', { ours, reference }));
    const part = Math.max(1, Math.floor(turns / 4));
    // The first call starts what it needs: that is not a matter of length.
    const early = summarize(ours.slice(1, 1 + part)).median;
    report(compare(`turnFlatness${name}`, 'ms', { ours: ours.slice(-part), reference: [early] }));
  }
} finally {
  lab.remove();
}
