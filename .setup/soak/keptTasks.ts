import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLeftovers } from '../leftovers.ts';
import { execWords, inScratch, type RoundOf, task } from './kills.ts';
import { runNode } from './runProgram.ts';
import type { Scratch } from './scratch.ts';

const restarts = 3;
const command = 'sleep 3600';

/** One state folder with one project, whose task is to outlive every engine. */
interface Keeper {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly project: string;
  /** Processes of the task. */
  readonly running: () => readonly number[];
}

function keeperOf(scratch: Scratch, home: string, project: string): Keeper {
  const script = join(scratch.folder, `${home}-${project}.json`);
  const again = Array.from({ length: restarts }, () => ({ text: 'It runs.' }));
  const replies = [{ calls: [{ tool: 'run', input: { command } }] }, { text: 'It runs.' }, ...again];
  writeFileSync(script, JSON.stringify({ replies }));
  const config = join(scratch.folder, home, 'config');
  mkdirSync(config, { recursive: true });
  const settings = { shell: { autoBackgroundThresholdSeconds: 1 } };
  writeFileSync(join(config, 'config.json'), JSON.stringify({ settings }));
  const place = join(scratch.folder, project);
  mkdirSync(place, { recursive: true });
  const mark = `${scratch.mark}#${home}#${project}`;
  return {
    words: [...execWords({ ...scratch, script, project: place }), '--keep'],
    env: { ...scratch.env, VISE_HOME: join(scratch.folder, home), SOAK_MARK: mark },
    project: place,
    running: () =>
      findLeftovers(0, `SOAK_MARK=${mark}`).flatMap(({ pid, command: text }) => (text === command ? [pid] : [])),
  };
}

/** Two projects, two state folders, a kept task in each pair: engines come and go, and nobody ends the task of another. */
export const keptTasks: RoundOf = () =>
  inScratch([], async (scratch, lost) => {
    const keepers = ['A', 'B'].flatMap((home) => ['p', 'q'].map((project) => keeperOf(scratch, home, project)));
    let hits = 0;
    const keep = async ({ words, env, project, running }: Keeper): Promise<void> => {
      let first: readonly number[] | undefined;
      for (let restart = 0; restart <= restarts; restart += 1) {
        const more = restart === 0 ? [task] : ['--continue', task];
        const { code, problems } = await runNode([...words, ...more], env, project);
        if (code !== 0) lost.push(`the engine over a kept task ended with ${code}: ${problems}`);
        first ??= running();
        if (first.length !== 1 || running().join() !== first.join()) lost.push('a kept task was ended');
        if (restart > 0) hits += 1;
      }
    };
    try {
      await Promise.all(keepers.map(keep));
    } finally {
      for (const pid of keepers.flatMap(({ env }) => findLeftovers(0, `SOAK_MARK=${env['SOAK_MARK']}`)))
        process.kill(pid.pid, 'SIGKILL');
    }
    return hits;
  });
