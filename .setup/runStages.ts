import { ensureChromium } from './chromium.mjs';
import { ensureTestPrograms } from './debian.mjs';
import { type Stage, stages } from './stages.ts';
import { closingLine, sumUp, type Tally } from './tally.ts';

const usage = `npm test [-- [--only ${stages.map(({ name }) => name).join('|')}[,…]] [FILTER …]]`;

/** What a developer asked for; undefined for a wrong word. */
export function readArguments(
  args: readonly string[],
): { readonly chosen: readonly Stage[]; readonly filters: readonly string[] } | undefined {
  const at = args.indexOf('--only');
  if (at < 0) return args.some((word) => word.startsWith('--')) ? undefined : { chosen: stages, filters: args };
  const names = (args[at + 1] ?? '').split(',');
  const chosen = stages.filter(({ name }) => names.includes(name));
  if (chosen.length !== names.length) return undefined;
  return { chosen, filters: [...args.slice(0, at), ...args.slice(at + 2)] };
}

/** What tests drive: small programs where they can be had, and a browser, which they find in `VISE_CHROMIUM`. */
async function ensurePrograms(): Promise<void> {
  await ensureTestPrograms();
  const chromium = await ensureChromium();
  if (chromium !== undefined) process.env['VISE_CHROMIUM'] = chromium;
}

/** Runs a stage alone, which prints as it goes, or beside others: then what it printed is told at its end, in one piece. */
async function runStage(stage: Stage, filters: readonly string[], alone: boolean): Promise<Tally> {
  const printed: string[] = [];
  if (alone) console.log(`\n── ${stage.name}`);
  const started = performance.now();
  const tally = await stage.run(filters, alone ? undefined : (text) => printed.push(text.trimEnd()));
  if (!alone) console.log([`\n── ${stage.name}`, ...printed.filter((text) => text !== '')].join('\n'));
  console.log(`── ${stage.name}: ${closingLine(tally)} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return tally;
}

/** The stages of one group, side by side; those that need a build that failed are not run. */
function runGroup(group: readonly Stage[], filters: readonly string[], isBuilt: boolean): Promise<readonly Tally[]> {
  return Promise.all(
    group.map((stage): Promise<Tally> => {
      if (isBuilt || !stage.needsBuild) return runStage(stage, filters, group.length === 1);
      console.log(`\n── ${stage.name}: not run, since the build failed`);
      return Promise.resolve({ passed: 0, failed: [], skipped: [`${stage.name}: the build failed`] });
    }),
  );
}

function sayList(head: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${head}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** Runs the stages, group by group, all of them even if one fails. Gives the exit code. */
export async function runStages(args: readonly string[]): Promise<number> {
  const request = readArguments(args);
  if (request === undefined) {
    console.error(usage);
    return 2;
  }
  if (!process.stdout.isTTY) {
    process.env['NO_COLOR'] = '1';
    delete process.env['FORCE_COLOR'];
  }
  if (request.chosen.some(({ drives }) => drives)) await ensurePrograms();
  const tallies: Tally[] = [];
  let isBuilt = true;
  for (const group of Map.groupBy(request.chosen, (stage) => stage.group).values()) {
    const done = await runGroup(group, request.filters, isBuilt);
    const build = done[group.findIndex(({ name }) => name === 'build')];
    if (build !== undefined) isBuilt = build.failed.length === 0;
    tallies.push(...done);
  }
  const sum = sumUp(tallies);
  sayList('Skipped', sum.skipped);
  sayList('Passed only when run again', sum.unsteady ?? []);
  sayList('Failed', sum.failed);
  if (sum.passed + sum.failed.length === 0) console.log('No test ran.');
  console.log(`\n${closingLine(sum)}`);
  return sum.failed.length === 0 && sum.passed > 0 ? 0 : 1;
}
