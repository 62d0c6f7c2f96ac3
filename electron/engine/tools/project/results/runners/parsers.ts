import type { TestSummary } from '../base/testSummary.ts';
import { parseBunTest } from './bunTest.ts';
import { parseCargoTest } from './cargoTest.ts';
import { parseCatch2 } from './catch2.ts';
import { parseCtest } from './ctest.ts';
import { parseDenoTest } from './denoTest.ts';
import { parseDotnet } from './dotnet.ts';
import { parseGoJson } from './goJson.ts';
import { parseGoogletest } from './googletest.ts';
import { parseGoText } from './goTest.ts';
import { parseGradle } from './gradle.ts';
import { parseJest } from './jest.ts';
import { parseJestJson } from './jestJson.ts';
import { parseJunitXml } from './junitXml.ts';
import { parseMinitest } from './minitest.ts';
import { parseMocha } from './mocha.ts';
import { parseMochaJson } from './mochaJson.ts';
import { parseNextest } from './nextest.ts';
import { parseNodeTest } from './nodeTest.ts';
import { parsePlaywright } from './playwright.ts';
import { parsePlaywrightJson } from './playwrightJson.ts';
import { parseProve } from './prove.ts';
import { parsePytest } from './pytest.ts';
import { parseRspecJson } from './rspecJson.ts';
import { patternRunners } from './runnerPatterns.ts';
import { parseSurefire } from './surefire.ts';
import { parseTap } from './tap.ts';
import { parseTrx } from './trx.ts';
import { parseUnittest } from './unittest.ts';
import { parseVitest } from './vitest.ts';

export interface TestParser {
  readonly parse: (text: string) => TestSummary | undefined;
  /** Commands that certainly run it. */
  readonly command: RegExp;
}

const never = /(?!)/;
const on = (command: RegExp, parse: TestParser['parse']): TestParser => ({ command, parse });

/** They show what the runners below them print: they alone count. */
export const harnesses: readonly TestParser[] = [on(/\bctest\b/, parseCtest), on(/\bprove\b/, parseProve)];

/** Formats made for programs: one that is there tells of all that ran. */
export const programFormats: readonly TestParser[] = [
  on(never, parseJestJson),
  on(never, parseMochaJson),
  on(never, parsePlaywrightJson),
  on(never, parseRspecJson),
  on(never, parseJunitXml),
  on(never, parseTrx),
  on(never, parseGoJson),
  on(never, parseTap),
];

/** Texts for people. */
export const texts: readonly TestParser[] = [
  ...patternRunners,
  on(/\bcargo (?:\+\S+ )?(?:test|t)\b/, parseCargoTest),
  on(/\bnextest\b/, parseNextest),
  on(/\bpy\.?test\b|\btox\b/, parsePytest),
  on(/\bunittest\b|\bmanage\.py test\b/, parseUnittest),
  on(/\bvitest\b/, parseVitest),
  on(/\bjest\b|\breact-scripts test\b/, parseJest),
  on(/\bnode\b.* --test\b/, parseNodeTest),
  on(/\bmocha\b|\bcypress\b/, parseMocha),
  on(/\bbun test\b/, parseBunTest),
  on(/\bdeno\b.* test\b|\bdeno test\b/, parseDenoTest),
  on(/\bplaywright test\b/, parsePlaywright),
  on(/\brails test\b|\brake test\b/, parseMinitest),
  on(/\bdotnet (?:test|vstest)\b/, parseDotnet),
  on(/\bmvnw?\b/, parseSurefire),
  on(/\bgradlew?\b/, parseGradle),
  on(never, parseGoogletest),
  on(never, parseCatch2),
  on(/\bgo test\b|\bgotestsum\b/, parseGoText),
];
