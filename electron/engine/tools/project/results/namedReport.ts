import type { Look } from '../../frame/tool.ts';
import type { TestSummary } from './base/testSummary.ts';
import { summarizeTests } from './summarizeTests.ts';

/** Where a runner says that it left its report: vitest, and the loggers of `dotnet test`. */
const said = /^[ \t]*(?:(?:JSON|JUNIT) report written to|Results File:) (\S.*)$/gim;

/** A report beyond this is not read (J5). */
const maxBytes = 10 * 1024 * 1024;

/** The report that the output names, if it lies in the project. */
export async function readNamedReport(look: Look, folder: string, text: string): Promise<TestSummary | undefined> {
  for (const [, path = ''] of text.matchAll(said)) {
    const place = await look.resolve(path.trim(), folder);
    if (!place.ok) continue;
    const read = await look.readBytes(place.value.relative, maxBytes);
    const summary = read.ok ? summarizeTests(new TextDecoder().decode(read.value.bytes), '') : undefined;
    if (summary) return summary;
  }
  return undefined;
}
