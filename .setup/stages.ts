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
  /** It makes no sense where the build failed. */
  readonly needsBuild?: true;
  /** Its tests drive other programs. */
  readonly drives?: true;
  /** @param filters what a developer wants to see only; given to the test runner */
  readonly run: (filters: readonly string[]) => Promise<Tally>;
}

const minutes = 60_000;

/** All stages together must end within 40 minutes on two cores; what takes longer than this hangs. */
const limits = { check: 5 * minutes, unit: 15 * minutes, browser: 15 * minutes, bench: 5 * minutes };

const passed: Tally = { passed: 1, failed: 0, skipped: [] };
const failed: Tally = { passed: 0, failed: 1, skipped: [] };

/** The projects of the compiler: a floor each, then all together with the tests. */
const compilerProjects = ['shared', 'electron/engine', 'electron', 'renderer', '.setup', '.'];

/** The script of a package's command, so that it runs on this Node and without a shell. */
const tool = (path: string): string => join(root, 'node_modules', path);

async function check(program: string, args: readonly string[]): Promise<boolean> {
  const { code, timedOut } = await run(program, args, { timeLimitMs: limits.check });
  if (timedOut) console.log(`It did not end within ${limits.check / minutes} minutes.`);
  return code === 0;
}

async function typecheck(): Promise<Tally> {
  let all = true;
  for (const project of compilerProjects)
    all = (await check(process.execPath, [tool('typescript/bin/tsc'), '-p', project])) && all;
  return all ? passed : failed;
}

async function lint(): Promise<Tally> {
  // Its pictures of the code are coloured whatever NO_COLOR says where CI is set.
  const format = process.stdout.isTTY ? [] : ['--format=unix'];
  return (await check(process.execPath, [tool('oxlint/bin/oxlint'), '--type-aware', ...format])) ? passed : failed;
}

/** More failures than this are no accident of a busy machine. */
const secondChances = 3;

interface Finished<Report> {
  readonly report: Report;
  readonly exitCode: number;
}

/** Runs a test runner that writes a JSON report, and reads the report; undefined where none was written. */
async function runTests<Report>(
  reportFile: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeLimitMs: number,
): Promise<Finished<Report> | undefined> {
  const path = join(root, reportFile);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  const { code, timedOut } = await run(process.execPath, args, { env: { ...process.env, ...env }, timeLimitMs });
  if (timedOut) console.log(`It did not end within ${timeLimitMs / minutes} minutes and was stopped.`);
  if (!existsSync(path)) return undefined;
  return { report: JSON.parse(readFileSync(path, 'utf8')) as Report, exitCode: timedOut ? 1 : code };
}

/** A few files that fail are run once more, alone: what passes then is counted, and named as unsteady. */
async function unit(filters: readonly string[]): Promise<Tally> {
  const vitest = (report: string, files: readonly string[]): Promise<Finished<UnitReport> | undefined> => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    return runTests(report, [tool('vitest/vitest.mjs'), 'run', ...reporters, ...files], {}, limits.unit);
  };
  const first = await vitest('.vise-test/unit.json', filters);
  if (first === undefined) return failed;
  const files = failedFiles(first.report);
  const once = tallyUnits(first.report, first.exitCode);
  if (files.length === 0 || files.length > secondChances) return once;
  console.log(`\n${files.length} of the files failed; they are run once more.`);
  const second = await vitest('.vise-test/unitAgain.json', files);
  return second === undefined ? once : tallyAgain(first.report, second.report, second.exitCode);
}

async function browser(filters: readonly string[]): Promise<Tally> {
  if (!process.env['VISE_CHROMIUM']) {
    const why = 'no Chrome or Chromium was found and none could be installed';
    console.log(`End-to-end tests: ${why}.`);
    // In continuous integration a missing browser must not pass for success.
    return process.env['CI'] ? failed : { passed: 0, failed: 0, skipped: [`all end-to-end tests: ${why}`] };
  }
  const report = '.vise-test/browser.json';
  const args = [tool('@playwright/test/cli.js'), 'test', '-c', 'e2e/playwright.config.ts', ...filters];
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: join(root, report) };
  const done = await runTests<BrowserReport>(report, args, env, limits.browser);
  return done === undefined ? failed : tallyBrowser(done.report, done.exitCode);
}

/** Each benchmark once, to prove that it works; no figure counts here. */
async function benchmarks(): Promise<Tally> {
  const args = [join(root, 'bench', 'run.ts'), '--smoke'];
  const { code, timedOut } = await run(process.execPath, args, { timeLimitMs: limits.bench });
  return code === 0 && !timedOut ? passed : failed;
}

/** In the order in which they run: the quick ones first. */
export const stages: readonly Stage[] = [
  { name: 'types', run: typecheck },
  { name: 'lint', run: lint },
  {
    name: 'format',
    run: async () =>
      (await check(process.execPath, [tool('@biomejs/biome/bin/biome'), 'check', '.'])) ? passed : failed,
  },
  { name: 'build', run: async () => ((await buildStale()) ? passed : failed) },
  { name: 'unit', drives: true, run: unit },
  { name: 'e2e', needsBuild: true, drives: true, run: browser },
  { name: 'bench', needsBuild: true, run: benchmarks },
];
