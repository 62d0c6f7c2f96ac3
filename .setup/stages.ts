import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildStale } from './buildParts.ts';
import { root, run } from './project.mjs';
import {
  type BrowserReport,
  failedFiles,
  type Tally,
  tallyAgain,
  tallyBrowser,
  tallyUnits,
  type UnitReport,
} from './tally.ts';

/** One step of `npm test`. */
export interface Stage {
  readonly name: string;
  /** Stages of one group run side by side, groups one after the other. */
  readonly group: 'sources' | 'tests' | 'benchmarks';
  /** It makes no sense where the build failed. */
  readonly needsBuild?: true;
  /** Its tests drive other programs. */
  readonly drives?: true;
  /**
   * @param filters what a developer wants to see only; given to the test runner
   * @param say takes what it prints; without it, it prints by itself as it goes
   */
  readonly run: (filters: readonly string[], say?: (text: string) => void) => Promise<Tally>;
}

type Say = (text: string) => void;

const minutes = 60_000;

/** All stages together must end within 40 minutes on two cores; what takes longer than this hangs. */
const limits = { check: 5 * minutes, unit: 20 * minutes, browser: 25 * minutes, bench: 5 * minutes };

const passed: Tally = { passed: 1, failed: [], skipped: [] };
const failed = (why: string): Tally => ({ passed: 0, failed: [why], skipped: [] });

/** The projects of the compiler: a floor each, then all together with the tests. */
const compilerProjects = ['shared', 'electron/engine', 'electron', 'renderer', '.setup', '.'];

/** The script of a package's command, so that it runs on this Node and without a shell. */
const tool = (path: string): string => join(root, 'node_modules', path);

/** Runs a program to its end and says what it printed, and that it took too long. */
async function runShown(
  args: readonly string[],
  say: Say | undefined,
  options: { readonly env?: NodeJS.ProcessEnv; readonly timeLimitMs: number },
): Promise<{ readonly code: number; readonly timedOut: boolean }> {
  const done = await run(process.execPath, args, { ...options, quiet: say !== undefined });
  say?.(done.output);
  if (done.timedOut) (say ?? console.log)(`It did not end within ${options.timeLimitMs / minutes} minutes.`);
  return done;
}

async function check(
  what: string,
  args: readonly string[],
  say: Say | undefined,
  timeLimitMs = limits.check,
): Promise<Tally> {
  const { code, timedOut } = await runShown(args, say, { timeLimitMs });
  return code === 0 && !timedOut ? passed : failed(`${what}: exit code ${code}`);
}

/** Every project is checked, whatever the others say, so that one run tells all that is wrong. */
async function typecheck(_: readonly string[], say?: Say): Promise<Tally> {
  const wrong: string[] = [];
  for (const project of compilerProjects)
    wrong.push(...(await check(`types of ${project}`, [tool('typescript/bin/tsc'), '-p', project], say)).failed);
  return wrong.length === 0 ? passed : { ...passed, passed: 0, failed: wrong };
}

function lint(_: readonly string[], say?: Say): Promise<Tally> {
  // Its pictures of the code are coloured whatever NO_COLOR says where CI is set.
  const format = process.stdout.isTTY && say === undefined ? [] : ['--format=unix'];
  return check('lint', [tool('oxlint/bin/oxlint'), '--type-aware', ...format], say);
}

/** More failures than this are no accident of a busy machine. */
const secondChances = 3;

interface Finished<Report> {
  readonly report: Report;
  readonly exitCode: number;
}

type TestRun<Report> = Finished<Report> | { readonly lost: string };

/** Runs a test runner that writes a JSON report, and reads the report. */
async function runTests<Report>(
  reportFile: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly timeLimitMs: number },
  say: Say | undefined,
): Promise<TestRun<Report>> {
  const path = join(root, reportFile);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  const env = { ...process.env, ...options.env };
  const { code, timedOut } = await runShown(args, say, { ...options, env });
  if (!existsSync(path)) {
    const lost = `the runner ended with exit code ${code} and has written no report`;
    (say ?? console.log)(lost);
    return { lost };
  }
  return { report: JSON.parse(readFileSync(path, 'utf8')) as Report, exitCode: timedOut ? 1 : code };
}

/**
 * A few files that fail are run once more, alone, and the whole where the runner was lost: what passes then is counted, and
 * named as unsteady.
 */
async function unit(filters: readonly string[], say?: Say): Promise<Tally> {
  const vitest = (report: string, files: readonly string[]): Promise<TestRun<UnitReport>> => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const args = [tool('vitest/vitest.mjs'), 'run', ...reporters, ...files];
    return runTests(report, args, { env: {}, timeLimitMs: limits.unit }, say);
  };
  const lost: string[] = [];
  let first = await vitest('.vise-test/unit.json', filters);
  if ('lost' in first) {
    lost.push(`unit: ${first.lost}`);
    first = await vitest('.vise-test/unit.json', filters);
    if ('lost' in first) return failed(`unit, twice: ${first.lost}`);
  }
  const files = failedFiles(first.report);
  const once = tallyUnits(first.report, first.exitCode);
  if (files.length === 0 || files.length > secondChances) return { ...once, unsteady: lost };
  (say ?? console.log)(`\n${files.length} of the files failed; they are run once more.`);
  const second = await vitest('.vise-test/unitAgain.json', files);
  if ('lost' in second) return { ...once, unsteady: lost };
  return tallyAgain(first.report, second.report, second.exitCode, lost);
}

async function browser(filters: readonly string[], say?: Say): Promise<Tally> {
  if (!process.env['VISE_CHROMIUM']) {
    const why = 'no Chrome or Chromium was found and none could be installed';
    (say ?? console.log)(`End-to-end tests: ${why}.`);
    // In continuous integration a missing browser must not pass for success.
    return process.env['CI']
      ? failed(`e2e: ${why}`)
      : { passed: 0, failed: [], skipped: [`all end-to-end tests: ${why}`] };
  }
  const report = '.vise-test/browser.json';
  const args = [tool('@playwright/test/cli.js'), 'test', '-c', 'e2e/playwright.config.ts', ...filters];
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: join(root, report) };
  const done = await runTests<BrowserReport>(report, args, { env, timeLimitMs: limits.browser }, say);
  return 'lost' in done ? failed(`e2e: ${done.lost}`) : tallyBrowser(done.report, done.exitCode);
}

/** Each benchmark once, to prove that it works; no figure counts here. */
function benchmarks(_: readonly string[], say?: Say): Promise<Tally> {
  return check('benchmarks', [join(root, 'bench', 'run.ts'), '--smoke'], say, limits.bench);
}

/** In the order in which they are told: the quick ones first. */
export const stages: readonly Stage[] = [
  { name: 'types', group: 'sources', run: typecheck },
  { name: 'lint', group: 'sources', run: lint },
  {
    name: 'format',
    group: 'sources',
    run: (_, say) => check('format', [tool('@biomejs/biome/bin/biome'), 'check', '.'], say),
  },
  { name: 'build', group: 'sources', run: async () => ((await buildStale()) ? passed : failed('build')) },
  { name: 'unit', group: 'tests', drives: true, run: unit },
  { name: 'e2e', group: 'tests', needsBuild: true, drives: true, run: browser },
  { name: 'bench', group: 'benchmarks', needsBuild: true, run: benchmarks },
];
