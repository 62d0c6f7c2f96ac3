/** What a stage of the tests came to. */
export interface Tally {
  readonly passed: number;
  /** One line a failure: the test's name, or what failed around the tests. */
  readonly failed: readonly string[];
  /** One line a skipped test: its name and why. */
  readonly skipped: readonly string[];
  /** Tests that failed and then passed when they were run again: each is a race that wants mending. */
  readonly unsteady?: readonly string[];
}

/** The parts of vitest's JSON report that count. */
export interface UnitReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The parts of Playwright's JSON report that count. */
export interface BrowserReport {
  readonly suites?: readonly BrowserSuite[];
  readonly errors?: readonly unknown[];
}

interface BrowserSuite {
  readonly suites?: readonly BrowserSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly status: string;
      readonly annotations?: readonly { readonly type: string; readonly description?: string }[];
    }[];
  }[];
}

/** Adds up stages. */
export function sumUp(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    failed: tallies.flatMap(({ failed }) => failed),
    skipped: tallies.flatMap(({ skipped }) => skipped),
    unsteady: tallies.flatMap(({ unsteady = [] }) => unsteady),
  };
}

/** A run that says it failed, and yet counts no failure, has failed outside a test: that counts as one. */
function withExitCode(tally: Tally, exitCode: number): Tally {
  if (exitCode === 0 || tally.failed.length > 0) return tally;
  return { ...tally, failed: [`around the tests: the runner ended with exit code ${exitCode}`] };
}

/** The files with a failure, in or around their tests. */
export const failedFiles = ({ testResults }: UnitReport): readonly string[] =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);

/** The second run's word stands for the files that were run again; what it cured is named. */
export function tallyAgain(
  first: UnitReport,
  second: UnitReport,
  exitCode: number,
  unsteady: readonly string[] = [],
): Tally {
  const again = new Map(second.testResults.map((file) => [file.name, file]));
  const merged = first.testResults.map((file) => again.get(file.name) ?? file);
  const isCured = (name: string): boolean => again.get(name)?.status === 'passed';
  return {
    ...tallyUnits({ testResults: merged }, exitCode),
    unsteady: [
      ...unsteady,
      ...failedFiles(first)
        .filter(isCured)
        .flatMap((name) => failedTests(first, name)),
    ],
  };
}

/** By name, or the file itself where no test of it failed. */
function failedTests({ testResults }: UnitReport, name: string): readonly string[] {
  const tests = testResults
    .filter((file) => file.name === name)
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
  return tests.length > 0 ? tests : [name];
}

/** A file that fails around its tests (an import, a hook, something left behind) counts as one failure. */
export function tallyUnits({ testResults }: UnitReport, exitCode: number): Tally {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = failedFiles({ testResults }).flatMap((name) => failedTests({ testResults }, name));
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const others = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  return withExitCode({ passed, failed, skipped: others.map(({ fullName }) => fullName) }, exitCode);
}

export function tallyBrowser(report: BrowserReport, exitCode: number): Tally {
  const tallyOf = (suite: BrowserSuite): Tally =>
    sumUp([
      ...(suite.suites ?? []).map(tallyOf),
      ...(suite.specs ?? []).flatMap(({ title, tests }) =>
        tests.map(({ status, annotations = [] }): Tally => {
          const why = annotations.find(({ type }) => type === 'skip')?.description;
          return {
            passed: status === 'expected' || status === 'flaky' ? 1 : 0,
            failed: status === 'unexpected' ? [title] : [],
            skipped: status === 'skipped' ? [why === undefined ? title : `${title}: ${why}`] : [],
            unsteady: status === 'flaky' ? [title] : [],
          };
        }),
      ),
    ]);
  return withExitCode(sumUp((report.suites ?? []).map(tallyOf)), exitCode);
}

/** The one line that says how it went, for people and for machines. */
export const closingLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`;
