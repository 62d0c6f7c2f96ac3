import { plainText } from '../../../exec/plainText.ts';
import type { Issue } from './base/issue.ts';
import { jsonDocuments, jsonLines } from './base/jsonDocuments.ts';
import { countIssues } from './countIssues.ts';
import { parseAnnotations } from './linters/annotations.ts';
import { parseArrows } from './linters/arrows.ts';
import { parseBiome } from './linters/biome.ts';
import { jsonShapes, rustIssue } from './linters/jsonIssues.ts';
import { parseLines } from './linters/lineIssues.ts';
import { parsePatterns } from './linters/linterPatterns.ts';
import { parsePhpstan } from './linters/phpstan.ts';
import { parseShellcheck } from './linters/shellcheck.ts';
import { parseStylish } from './linters/stylish.ts';

/** What linters, type checkers and compilers found. */
export interface IssueSummary {
  /** The linter's own number where it tells one, and never less than what could be read. */
  readonly total: number;
  readonly errors: number;
  readonly warnings: number;
  readonly issues: readonly Issue[];
}

const parsers: readonly ((text: string) => readonly Issue[])[] = [
  parseStylish,
  parsePatterns,
  parseArrows,
  parseBiome,
  parsePhpstan,
  parseShellcheck,
  parseAnnotations,
  parseLines,
];

/** Issues that are told; the rest is counted. */
export const maxIssues = 50;
const maxCharacters = 2_000_000;
const maxLineLength = 4_000;

/** What a linter or compiler printed, if its format is known. Several, one after another, are counted together. */
export function summarizeIssues(stdout: string, stderr: string, limit = maxIssues): IssueSummary | undefined {
  const streams = [stdout, stderr].map((text) => plainText(text.slice(0, maxCharacters)).replaceAll('\r\n', '\n'));
  const fromJson = streams.flatMap(issuesOfJson);
  const text = streams
    .join('\n')
    .split('\n')
    .map((line) => line.slice(0, maxLineLength))
    .join('\n');
  const issues = distinct(fromJson.length > 0 ? fromJson : parsers.flatMap((parse) => parse(text)));
  const own = fromJson.length > 0 ? undefined : countIssues(text);
  if (issues.length === 0 && own === undefined) return undefined;
  const count = (severity: string) => issues.filter((issue) => issue.severity === severity).length;
  return {
    total: Math.max(own ?? 0, issues.length),
    errors: count('error'),
    warnings: count('warning'),
    issues: issues.slice(0, limit),
  };
}

function issuesOfJson(text: string): readonly Issue[] {
  if (!/^[ \t]*[[{]/m.test(text)) return [];
  const rust = text.includes('"compiler-message"')
    ? [...jsonLines(text)].flatMap((value) => rustIssue(value) ?? [])
    : [];
  if (rust.length > 0) return rust;
  return jsonDocuments(text).flatMap((value) => {
    for (const issues of jsonShapes) {
      const found = issues(value);
      if (found) return found;
    }
    return [];
  });
}

/** MSBuild, Maven and others say all again at their end. */
function distinct(issues: readonly Issue[]): readonly Issue[] {
  const seen = new Map<string, Issue>();
  for (const issue of issues) {
    const key = JSON.stringify([issue.file, issue.line, issue.column, issue.message]);
    if (!seen.has(key)) seen.set(key, issue);
  }
  return [...seen.values()];
}
