import type * as z from 'zod';
import { jsonDocuments } from './jsonDocuments.ts';
import { joinSummaries, type TestSummary } from './testSummary.ts';

/** A parser of reports in JSON, possibly with lines of a package manager around them: several are added. */
export function jsonReports<S extends z.ZodType>(
  /** Stands in every text that has one. */
  mark: RegExp,
  report: S,
  summarize: (report: z.output<S>) => TestSummary,
): (text: string) => TestSummary | undefined {
  return (text) => {
    if (!mark.test(text)) return undefined;
    const [first, ...rest] = jsonDocuments(text).flatMap((value) => {
      const parsed = report.safeParse(value);
      return parsed.success ? [summarize(parsed.data)] : [];
    });
    return first && joinSummaries([first, ...rest]);
  };
}
