/** What a stage of the tests came to. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** One line a skipped test: its name and why. */
  readonly skipped: readonly string[];
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
    failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
    skipped: tallies.flatMap(({ skipped }) => skipped),
  };
}

/** A run that says it failed, and yet counts no failure, has failed outside a test: that counts as one. */
function withExitCode(tally: Tally, exitCode: number): Tally {
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

/** A file that fails around its tests (an import, a hook, something left behind) counts as one failure. */
export function tallyUnits({ testResults }: UnitReport, exitCode: number): Tally {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed').length;
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((each) => each.status !== 'failed'),
  ).length;
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const others = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  return withExitCode(
    { passed, failed: failed + brokenFiles, skipped: others.map(({ fullName }) => fullName) },
    exitCode,
  );
}

/** A test that passed only at a second try counts as failed: it proves nothing. */
export function tallyBrowser(report: BrowserReport, exitCode: number): Tally {
  const tallyOf = (suite: BrowserSuite): Tally =>
    sumUp([
      ...(suite.suites ?? []).map(tallyOf),
      ...(suite.specs ?? []).flatMap(({ title, tests }) =>
        tests.map(({ status, annotations = [] }): Tally => {
          const why = annotations.find(({ type }) => type === 'skip')?.description;
          return {
            passed: status === 'expected' ? 1 : 0,
            failed: status === 'unexpected' || status === 'flaky' ? 1 : 0,
            skipped: status === 'skipped' ? [why === undefined ? title : `${title}: ${why}`] : [],
          };
        }),
      ),
    ]);
  return withExitCode(sumUp((report.suites ?? []).map(tallyOf)), exitCode);
}

/** The one line that says how it went, for people and for machines. */
export const closingLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped.length} skipped`;
