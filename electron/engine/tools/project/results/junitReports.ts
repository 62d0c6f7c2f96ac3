import { posix } from 'node:path';
import type { Look } from '../../frame/tool.ts';
import { maxFailures, type TestFailure, type TestSummary } from './base/testSummary.ts';
import { parseJunitXml } from './runners/junitXml.ts';

/** Bounds (J5): folders looked into for modules, files read, bytes of one and of all together. */
const limits = { folders: 300, files: 1_000, fileBytes: 2 * 1024 * 1024, totalBytes: 32 * 1024 * 1024 };

/** Where a module leaves its reports: Maven's Surefire and Failsafe, Gradle (a folder a task), and common choices of others. */
const reportFolders = ['target/surefire-reports', 'target/failsafe-reports', 'test-results', 'test-reports', 'reports'];
const reportFiles = ['junit.xml', 'report.xml', 'test-report.xml', 'test-results.xml'];
const sourceFolders = ['java', 'kotlin', 'groovy', 'scala'].map((language) => `src/test/${language}`);

/** Folders that hold no modules of the project's own. */
const skipped = /^(?:\.|node_modules$|target$|build$|src$|out$|bin$|dist$|vendor$)/;

/** What the clock that stamps files may lag behind, ms: it ticks at 100 Hz or more. */
const lagMs = 20;

interface Module {
  readonly path: string;
  readonly reports: readonly string[];
}

/**
 * The JUnit reports that a run has left in the folders of the project, together; nothing when there is none. Only what was
 * written since `startedMs` counts: an older report tells of another run. Links that leave the project are not followed.
 */
export async function readJunitReports(
  look: Look,
  folder: string,
  startedMs: number,
  signal: AbortSignal,
): Promise<TestSummary | undefined> {
  const found: { readonly module: Module; readonly summary: TestSummary }[] = [];
  let files = 0;
  let bytes = 0;
  for (const module of await modulesOf(look, folder)) {
    for (const path of await freshReports(look, module, startedMs)) {
      if (signal.aborted || files === limits.files || bytes >= limits.totalBytes) return together(look, found);
      const read = await look.readBytes(path, limits.fileBytes);
      if (!read.ok) continue;
      files += 1;
      bytes += read.value.bytes.length;
      const summary = parseJunitXml(new TextDecoder().decode(read.value.bytes));
      if (summary) found.push({ module, summary });
    }
  }
  return together(look, found);
}

/** The folder itself and two levels below it: modules of Maven and Gradle lie there. */
async function modulesOf(look: Look, folder: string): Promise<readonly Module[]> {
  const modules: Module[] = [];
  let level = [folder];
  for (let depth = 0; depth <= 2 && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const path of level) {
      if (modules.length === limits.folders) return modules;
      const listed = await look.list(path, { limit: limits.folders });
      if (!listed.ok) continue;
      modules.push({ path, reports: await reportFoldersOf(look, path) });
      for (const { name, path: below, type } of listed.value.entries) {
        if (type === 'directory' && !skipped.test(name)) next.push(below);
      }
    }
    level = next;
  }
  return modules;
}

async function reportFoldersOf(look: Look, module: string): Promise<readonly string[]> {
  const tasks = await look.list(posix.join(module, 'build/test-results'), { limit: 50 });
  const gradle = tasks.ok ? tasks.value.entries.filter(({ type }) => type === 'directory').map(({ path }) => path) : [];
  return [...reportFolders.map((name) => posix.join(module, name)), ...gradle];
}

async function freshReports(look: Look, { path, reports }: Module, startedMs: number): Promise<readonly string[]> {
  const fresh: string[] = [];
  const take = (name: string, modifiedAt: string | undefined) => {
    if (isFresh(Date.parse(modifiedAt ?? ''), startedMs)) fresh.push(name);
  };
  for (const name of reportFiles) {
    const facts = await look.stat(posix.join(path, name));
    if (facts.ok && facts.value.type === 'file') take(facts.value.path, facts.value.modifiedAt);
  }
  for (const folder of reports) {
    const listed = await look.list(folder, { limit: limits.files });
    if (!listed.ok) continue;
    for (const { name, path: file, type, modifiedAt } of listed.value.entries) {
      if (type === 'file' && name.endsWith('.xml')) take(file, modifiedAt);
    }
  }
  return fresh;
}

/** Some file systems keep whole seconds only. */
function isFresh(modifiedMs: number, startedMs: number): boolean {
  const from = modifiedMs % 1_000 === 0 ? Math.floor(startedMs / 1_000) * 1_000 : startedMs;
  return modifiedMs >= from - lagMs;
}

async function together(
  look: Look,
  found: readonly { readonly module: Module; readonly summary: TestSummary }[],
): Promise<TestSummary | undefined> {
  const count = (key: 'total' | 'passed' | 'failed' | 'skipped') =>
    found.reduce((sum, { summary }) => sum + summary[key], 0);
  if (count('total') === 0) return undefined;
  const failures: TestFailure[] = [];
  for (const { module, summary } of found) {
    for (const failure of summary.failures) {
      if (failures.length === maxFailures) break;
      failures.push(await withPath(look, module, failure));
    }
  }
  return {
    format: 'junit',
    total: count('total'),
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    failures,
  };
}

/** A stack of Java names the file without its folder; the package says where it lies. */
async function withPath(look: Look, { path }: Module, failure: TestFailure): Promise<TestFailure> {
  const { file, name } = failure;
  if (file === undefined || file.includes('/')) return failure;
  const packages = (name.split(' ', 1)[0] ?? '').split('.').slice(0, -1);
  if (!packages.every((one) => /^[\w$-]+$/.test(one))) return failure;
  for (const source of sourceFolders) {
    const found = await look.stat(posix.join(path, source, ...packages, file));
    if (found.ok) return { ...failure, file: found.value.path };
  }
  return failure;
}
