import { parseCargoTest } from './cargoTest.ts';
import { parseGoJson, parseGoText } from './goTest.ts';
import { parseJestJson } from './jestJson.ts';
import { parseJunitXml } from './junitXml.ts';
import { parsePytest } from './pytest.ts';
import { parseNodeTest, parseVitestOrJest } from './runnerText.ts';
import type { TestSummary } from './summary.ts';
import { parseTap } from './tap.ts';

/** The surest first: formats made for programs, then texts for people. */
const parsers = [
  parseJestJson,
  parseJunitXml,
  parseGoJson,
  parseTap,
  parseCargoTest,
  parsePytest,
  parseVitestOrJest,
  parseNodeTest,
  parseGoText,
];

/** Beyond this no format is looked for. */
const maxCharacters = 500_000;

/** What a test run printed, if its format is known. A text that only looks like one is told as no summary, never as wrong counts. */
export function summarizeTests(stdout: string, stderr: string): TestSummary | undefined {
  for (const text of [stdout, stderr]) {
    if (text === '' || text.length > maxCharacters) continue;
    for (const parse of parsers) {
      const summary = parse(text);
      if (summary && summary.total > 0) return summary;
    }
  }
  return undefined;
}
