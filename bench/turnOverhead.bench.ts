import type { ServerReply } from '../e2e/modelServer.ts';
import { type AgentRun, openLab, stepsOf } from './measure/agentRun.ts';
import { compare, isSmoke, report } from './measure/report.ts';
import { summarize } from './measure/statistics.ts';

// What a turn costs beside the model: a reply with one call, the call, the next request. A file is read, and a command is
// run, 200 times in one conversation; the last turns must not be slower than the first (turnFlatness*: last 50 : first 50).
// turnCpu* is the CPU time a turn of the program and all that it started, turnExit* the time from the last reply to the end.

const turns = isSmoke ? 4 : 200;
const rounds = isSmoke ? 1 : 3;
const files = Object.fromEntries(Array.from({ length: turns }, (_, index) => [`file${index}.txt`, `${index}\n`]));
const lab = openLab(files);

/** No two calls are the same: repeated ones are held up on purpose. */
const calls = {
  Read: (turn: number): ServerReply => ({
    calls: [{ tool: 'read_file', input: { filePath: `file${turn}.txt` } }],
  }),
  Shell: (turn: number): ServerReply => ({ calls: [{ tool: 'run', input: { command: `echo ${turn}` } }] }),
} as const;

const cpuMs = ({ cpuSeconds }: AgentRun): number => (cpuSeconds * 1000) / turns;
const exitMs = ({ wallMs, repliesAt }: AgentRun): number => wallMs - (repliesAt.at(-1) ?? Number.NaN);

try {
  for (const [name, call] of Object.entries(calls)) {
    const replies = [...Array.from({ length: turns }, (_, turn) => call(turn)), { text: 'Done.' }];
    const runs: Readonly<Record<'ours' | 'reference', AgentRun[]>> = { ours: [], reference: [] };
    for (let round = 0; round < rounds; round += 1)
      for (const which of ['ours', 'reference'] as const) runs[which].push(await lab.run(which, replies));
    const both = (measure: (run: AgentRun) => readonly number[]) => ({
      ours: runs.ours.flatMap(measure),
      reference: runs.reference.flatMap(measure),
    });
    report(compare(`turnOverhead${name}`, 'ms', both(stepsOf)));
    report(
      compare(
        `turnCpu${name}`,
        'ms',
        both((run) => [cpuMs(run)]),
      ),
    );
    report(
      compare(
        `turnExit${name}`,
        'ms',
        both((run) => [exitMs(run)]),
      ),
    );
    const part = Math.max(1, Math.floor(turns / 4));
    // The first call starts what it needs: that is not a matter of length.
    const early = summarize(runs.ours.flatMap((run) => stepsOf(run).slice(1, 1 + part))).median;
    const late = runs.ours.flatMap((run) => stepsOf(run).slice(-part));
    report(compare(`turnFlatness${name}`, 'ms', { ours: late, reference: [early] }));
  }
} finally {
  lab.remove();
}
