import { openLab, stepsOf } from './measure/agentRun.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// Five independent commands in one reply, each of one second: from the reply to the next request. Side by side it is one
// second, one after the other it is five. The bare loop starts all at once.

const seconds = isSmoke ? 0.05 : 1;
const lab = openLab();
// Five different commands: equal ones would count as repeated calls.
const calls = Array.from({ length: 5 }, (_, index) => ({
  tool: 'run',
  input: { command: `sleep ${seconds + index / 1000}` },
}));
const replies = [{ calls }, { text: 'Done.' }];
const step = async (which: 'ours' | 'reference'): Promise<number> =>
  stepsOf(await lab.run(which, replies))[0] ?? Number.NaN;

try {
  const both = { ours: () => step('ours'), reference: () => step('reference') };
  report(compare('fiveSleeps', 'ms', await byTurns(5, both)));
} finally {
  lab.remove();
}
