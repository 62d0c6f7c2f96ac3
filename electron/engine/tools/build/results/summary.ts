export interface TestFailure {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly message?: string;
}

/** What a test run came to. */
export interface TestSummary {
  /** The format it was read from. */
  readonly format: string;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly TestFailure[];
}

/** Failures that are told; the rest is counted. */
export const maxFailures = 50;
const maxMessage = 500;

export function failureOf(name: string, place: Place | undefined, message?: string): TestFailure {
  const said = message?.trim();
  return {
    name,
    ...(place?.file === undefined ? {} : { file: place.file }),
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(said ? { message: said.slice(0, maxMessage) } : {}),
  };
}

export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** The first place in a text that is not inside a dependency or the runtime: `file:12`, `file:12:3`, `file.py", line 12`. */
export function placeIn(text: string): Place | undefined {
  for (const line of text.split('\n').slice(0, 200)) {
    if (/node_modules|node:internal|site-packages|\/rustc\//.test(line) || line.length > 1_000) continue;
    const found =
      /(?:file:\/\/)?((?:[A-Za-z]:)?[\w@+./\\-]*\.[A-Za-z]\w{0,4}):(\d+)/.exec(line) ??
      /File "([^"]+)", line (\d+)/.exec(line);
    if (found) return { file: found[1], line: Number(found[2]) };
  }
  return undefined;
}

export function summaryOf(
  format: string,
  counts: { readonly passed: number; readonly failed: number; readonly skipped: number },
  failures: readonly TestFailure[],
): TestSummary {
  const { passed, failed, skipped } = counts;
  return {
    format,
    total: passed + failed + skipped,
    passed,
    failed,
    skipped,
    failures: failures.slice(0, maxFailures),
  };
}
