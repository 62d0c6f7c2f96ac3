import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { testExecutor } from '../electron/engine/exec/testing/testExecutor.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// One `true` in direct mode, from the call to its answer, against a bare spawn of the same program. The host runs already
// (the warm-up round starts it). Target: the medians are at most 5 ms apart.

const lab = testExecutor();

async function ours(): Promise<number> {
  const started = performance.now();
  const outcome = await lab.run('true', { args: [] });
  const took = performance.now() - started;
  if (outcome.kind !== 'finished' || outcome.task.mode !== 'direct' || outcome.task.exitCode !== 0)
    throw new Error(`unexpected: ${JSON.stringify(outcome)}`);
  return took;
}

async function bare(): Promise<number> {
  const started = performance.now();
  await once(spawn('true', { stdio: ['ignore', 'pipe', 'pipe'] }), 'close');
  return performance.now() - started;
}

try {
  report(compare('commandOverhead', 'ms', await byTurns(isSmoke ? 1 : 100, { ours, reference: bare })));
} finally {
  await lab.close();
}
