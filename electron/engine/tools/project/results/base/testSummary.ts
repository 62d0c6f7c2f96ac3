import { plainText } from '../../../../exec/plainText.ts';
import type { Place } from './place.ts';

export interface TestFailure {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly message?: string;
}

/** What a test run came to. */
export interface TestSummary {
  /** The format it was read from; several are joined by `+`. */
  readonly format: string;
  readonly total: number;
  readonly passed: number;
  /** What could not be built, loaded or brought to its end counts as failed too. */
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly TestFailure[];
  readonly durationMs?: number;
  /** The end of the text is missing: there may have been more than was counted. */
  readonly incomplete?: true;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Failures that are told; the rest is counted. */
export const maxFailures = 50;
const maxMessage = 500;

export function failureOf(name: string, place: Place | undefined, message?: string): TestFailure {
  const said = message === undefined ? undefined : plainText(message).trim();
  return {
    name: plainText(name).trim().slice(0, maxMessage),
    file: place?.file?.replace(/^(?:file:\/\/|\.\/)/, ''),
    line: place?.line,
    ...(said ? { message: said.slice(0, maxMessage) } : {}),
  };
}

export function summaryOf(
  format: string,
  counts: Counts,
  failures: readonly TestFailure[],
  more: { readonly durationMs?: number | undefined; readonly incomplete?: boolean } = {},
): TestSummary {
  const { passed, failed, skipped } = counts;
  return {
    format,
    total: passed + failed + skipped,
    passed,
    failed,
    skipped,
    failures: failures.slice(0, maxFailures),
    ...(more.durationMs ? { durationMs: Math.round(more.durationMs) } : {}),
    ...(more.incomplete ? { incomplete: true } : {}),
  };
}

/** Several runs, one after another, as one. */
export function joinSummaries(all: readonly [TestSummary, ...TestSummary[]]): TestSummary {
  const [first, ...rest] = all;
  if (rest.length === 0) return first;
  const sum = (key: 'passed' | 'failed' | 'skipped') => all.reduce((total, one) => total + one[key], 0);
  const known = all.filter(({ durationMs }) => durationMs !== undefined);
  return summaryOf(
    [...new Set(all.map(({ format }) => format))].join('+'),
    { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') },
    all.flatMap(({ failures }) => failures),
    {
      durationMs: known.length === 0 ? undefined : known.reduce((total, one) => total + (one.durationMs ?? 0), 0),
      incomplete: all.some(({ incomplete }) => incomplete),
    },
  );
}

/** The number before a word of a line: `2` of `1 failed, 2 passed` for `passed`. */
export function countBefore(line: string, word: string): number {
  return Number(new RegExp(`(?<![\\w.])(\\d+) ${word}(?![\\w-])`).exec(line)?.[1] ?? 0);
}

/** All matches of a pattern with one number, added. */
export function sumOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((total, match) => total + Number(match[1] ?? 0), 0);
}

/** The first line that says something, without what a runner draws before it. */
export function firstLine(text: string): string | undefined {
  return text.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line));
}
