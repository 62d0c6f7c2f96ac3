import { failureOf, placeIn, summaryOf, type TestFailure, type TestSummary } from './summary.ts';

/** `cargo test`: one result line a test program, and what each failed test has printed. */
export function parseCargoTest(text: string): TestSummary | undefined {
  const results = [
    ...text.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored; \d+ measured; \d+ filtered out/gm),
  ];
  if (results.length === 0) return undefined;
  const sum = (group: number) => results.reduce((total, result) => total + Number(result[group]), 0);
  const details = new Map<string, string>();
  for (const block of text.split(/^---- /m).slice(1)) {
    const [, name] = /^(.+?) stdout ----/.exec(block) ?? [];
    if (name !== undefined)
      details.set(name, block.slice(block.indexOf('\n') + 1).split(/^(?:---- |failures:$)/m, 1)[0] ?? '');
  }
  const failures = [...text.matchAll(/^test (.+?) \.\.\. FAILED$/gm)].map(([, name = '']): TestFailure => {
    const said = details.get(name) ?? '';
    return failureOf(name, placeIn(said), said);
  });
  return summaryOf('cargo', { passed: sum(1), failed: sum(2), skipped: sum(3) }, failures);
}
