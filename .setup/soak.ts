import {
  clockJumps,
  diskFails,
  diskFull,
  fewDescriptors,
  manyAtOnce,
  providerChaos,
  readOnly,
  sleeps,
  slowSync,
} from './soak/faults.ts';
import { keptTasks } from './soak/keptTasks.ts';
import { killEngine, killExec, killPage, killPtyHost, type RoundOf } from './soak/kills.ts';
import { longRun, usualRestMs } from './soak/longRun.ts';
import { realDisk } from './soak/realDisk.ts';
import { chance } from './soak/scratch.ts';

/**
 * Ends Vise in the middle and lets its disk, clock and provider fail, over all of its hosts; counts what survived and what
 * was lost:
 *
 *     npm run soak -- [--kills N] [--minutes N] [--seed N] [--only NAME,NAME] [--each N] [--sync MS]
 *     npm run soak -- --only longRun [--turns N] [--output BYTES] [--rest MS]
 *
 * It ends after N kills (200), N minutes, or `--each` N rounds of every kind. The last line is JSON; the exit code is 1 when
 * anything was lost. `longRun` breaks nothing and takes minutes: it has one round, where it is named, of N turns (2,000)
 * whose commands print so many bytes each (600).
 */
const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const number = (name: string, otherwise: number): number => Number(argument(name) ?? otherwise);

interface Kind {
  readonly round: RoundOf;
  /** How often it comes up beside the others; most kills of the engine hit another operation. */
  readonly share: number;
  readonly kills?: true;
  /** It takes long and breaks nothing: one round, where `--only` names it. */
  readonly once?: true;
}

const kinds: Readonly<Record<string, Kind>> = {
  longRun: {
    round: longRun(number('turns', 2_000), number('output', 600), number('rest', usualRestMs)),
    share: 1,
    once: true,
  },
  engine: { round: killEngine, share: 8, kills: true },
  exec: { round: killExec, share: 4, kills: true },
  ptyHost: { round: killPtyHost, share: 3, kills: true },
  page: { round: killPage, share: 3, kills: true },
  manyAtOnce: { round: manyAtOnce, share: 1, kills: true },
  keptTasks: { round: keptTasks, share: 0.5 },
  diskFull: { round: diskFull, share: 2 },
  diskFails: { round: diskFails, share: 2 },
  readOnly: { round: readOnly, share: 1 },
  ...Object.fromEntries(Object.entries(realDisk).map(([name, round]) => [name, { round, share: 0.5 }])),
  slowSync: { round: slowSync(number('sync', 2_000)), share: 0.2 },
  fewDescriptors: { round: fewDescriptors, share: 0.5 },
  clockJumps: { round: clockJumps, share: 0.5 },
  sleeps: { round: sleeps, share: 0.5 },
  providerChaos: { round: providerChaos, share: 2 },
};

const only = argument('only')?.split(',');
const chosen = Object.entries(kinds).filter(([name, { once }]) => only?.includes(name) ?? !once);
const random = chance(number('seed', 1));
const each = argument('each') === undefined ? undefined : number('each', 1);
const end = performance.now() + number('minutes', 600) * 60_000;
const wantedKills = number('kills', 200);
const counts = Object.fromEntries(chosen.map(([name]) => [name, { rounds: 0, hits: 0, lost: 0 }]));
let kills = 0;
let lost = 0;
let told = 0;
const skipped: Record<string, string> = {};
const figures: Record<string, unknown> = {};

/** The kinds in turn, as often as their share says; nothing when it is over. */
function next(): string | undefined {
  if (performance.now() > end) return undefined;
  const open = chosen.filter(([name, { once }]) => !(once && counts[name]?.rounds));
  if (each !== undefined) return open.find(([name]) => (counts[name]?.rounds ?? each) < each)?.[0];
  if (kills >= wantedKills) return undefined;
  const due = open.toSorted(
    ([a, { share: ofA }], [b, { share: ofB }]) => (counts[a]?.rounds ?? 0) / ofA - (counts[b]?.rounds ?? 0) / ofB,
  );
  return due[0]?.[0];
}

async function lane(): Promise<void> {
  for (let name = next(); name !== undefined; name = next()) {
    const kind = kinds[name];
    const count = counts[name];
    if (!kind || !count) return;
    count.rounds += 1;
    const round = await kind.round(random);
    count.hits += round.hits;
    count.lost += round.lost.length;
    if (kind.kills) kills += round.hits;
    lost += round.lost.length;
    if (round.skipped !== undefined) skipped[name] = round.skipped;
    if (round.figures !== undefined) figures[name] = round.figures;
    for (const what of round.lost) process.stderr.write(`${name}: ${what}\n`);
    if (kills >= told + 100) {
      told = kills;
      process.stderr.write(`${kills} kills, ${lost} lost\n`);
    }
  }
}

await Promise.all([lane(), lane()]);
const some = (of: Readonly<Record<string, unknown>>) => (Object.keys(of).length > 0 ? of : undefined);
process.stdout.write(`${JSON.stringify({ kills, lost, ...counts, skipped: some(skipped), figures: some(figures) })}\n`);
process.exitCode = lost > 0 ? 1 : 0;
