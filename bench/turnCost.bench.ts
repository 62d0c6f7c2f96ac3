import { openLab, type Program, stepsOf } from './measure/agentRun.ts';
import { compare, isSmoke, report } from './measure/report.ts';
import { summarize } from './measure/statistics.ts';

// What Vise adds between two requests, beside a bare loop over the `openai` package: from the end of the model's reply to
// the arrival of the next request, the tool in between doing nothing (turnCost). And whether it stays so: the last 50 of
// 1,000 turns of one conversation beside the first 50 (turnFlatness1000; the bare loop's own growth: …Sdk).

const rounds = isSmoke ? 1 : 5;
const turns = isSmoke ? 4 : 100;
const longTurns = isSmoke ? 4 : 1_000;
const lab = openLab();

// The list is empty: nothing runs in the background. The bare loop answers "ok".
const call = { calls: [{ tool: 'list_background_tasks', input: {} }] };
const steps = async (which: Program, count: number): Promise<readonly number[]> =>
  stepsOf(await lab.run(which, [...Array.from({ length: count }, () => call), { text: 'Done.' }]));

try {
  // The first call of a program starts what it needs, once.
  const ours: number[] = [];
  const reference: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(...(await steps('ours', turns)).slice(1));
    reference.push(...(await steps('sdkLoop', turns)).slice(1));
  }
  report(compare('turnCost', 'ms', { ours, reference }));

  for (const [name, which] of [
    ['turnFlatness1000', 'ours'],
    ['turnFlatness1000Sdk', 'sdkLoop'],
  ] as const) {
    const long = (await steps(which, longTurns)).slice(1);
    const part = Math.min(50, long.length);
    const early = summarize(long.slice(0, part)).median;
    report(compare(name, 'ms', { ours: long.slice(-part), reference: [early] }));
  }
} finally {
  lab.remove();
}
