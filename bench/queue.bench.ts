import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { testExecutor } from '../electron/engine/exec/testing/testExecutor.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// 500 commands put into the queue at once, until the last has ended, against as many bare spawns, equally many at a time.
// Fails when one is lost, ends badly or starts before its turn.

const count = isSmoke ? 20 : 500;
const places = 4;

async function ours(): Promise<number> {
  const lab = testExecutor({ shell: { backgroundMaxWorkers: places } });
  try {
    await lab.run('true');
    const started = performance.now();
    const tasks = await Promise.all(Array.from({ length: count }, (_, at) => lab.background(`echo ${at}`)));
    const ended = await Promise.all(tasks.map(({ id }) => lab.ended(id)));
    const took = performance.now() - started;

    const asked = tasks.map(({ id }) => id);
    const order = lab.events.flatMap((event) =>
      event.type === 'started' && asked.includes(event.task.id) ? [event.task.id] : [],
    );
    if (order.join() !== asked.join()) throw new Error('The tasks did not start in their order.');
    const bad = ended.filter(({ state, exitCode }) => state !== 'completed' || exitCode !== 0);
    if (bad.length > 0) throw new Error(`${bad.length} tasks ended badly, the first: ${JSON.stringify(bad[0])}`);
    for (const [at, id] of asked.entries()) {
      const result = await lab.executor.result(id);
      if (!result.ok || result.value.stdout.trim() !== String(at)) throw new Error(`The output of task ${at} is lost.`);
    }
    return took;
  } finally {
    await lab.close();
  }
}

async function bare(): Promise<number> {
  const started = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const child = spawn('echo', [String(next)], { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout.resume();
      child.stderr.resume();
      await once(child, 'close');
    }
  };
  await Promise.all(Array.from({ length: places }, worker));
  return performance.now() - started;
}

report(compare('queue500', 'ms', await byTurns(3, { ours, reference: bare })));
