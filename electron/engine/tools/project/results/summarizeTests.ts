import { plainText } from '../../../exec/plainText.ts';
import { joinSummaries, type TestSummary } from './base/testSummary.ts';
import { harnesses, programFormats, type TestParser, texts } from './runners/parsers.ts';

/** Beyond this only the end is read: what a run came to stands there. */
const maxCharacters = 2_000_000;
/** Lines of a text for people are cut here: no pattern meets a line without end. */
const maxLineLength = 4_000;

/**
 * What a test run printed, if its format is known. A text that only looks like one is told as no summary, never as wrong
 * counts; a run of which nothing could be counted has a total of 0. What the command names is looked for first.
 */
export function summarizeTests(stdout: string, stderr: string, command = ''): TestSummary | undefined {
  const streams = [stdout, stderr].map(clean).filter((text) => text.trim() !== '');
  const printed = withShortLines(streams.join('\n'));
  const named = texts.filter((parser) => parser.command.test(command));
  const whole = (list: readonly TestParser[]) => firstCounted(list, [printed]);
  const found =
    whole(harnesses) ?? joined(named, printed) ?? firstCounted(programFormats, streams) ?? joined(texts, printed);
  if (found) return found;
  // Recognised, but nothing ran.
  for (const { parse } of [...harnesses, ...named, ...texts]) {
    const summary = parse(printed);
    if (summary) return summary;
  }
  for (const { parse } of programFormats) {
    const summary = streams.map(parse).find((one) => one !== undefined);
    if (summary) return summary;
  }
  return undefined;
}

function firstCounted(parsers: readonly TestParser[], all: readonly string[]): TestSummary | undefined {
  for (const { parse } of parsers) {
    for (const text of all) {
      const summary = parse(text);
      if (summary && summary.total > 0) return summary;
    }
  }
  return undefined;
}

/** Texts of several runners, one after another, are counted together. */
function joined(parsers: readonly TestParser[], text: string): TestSummary | undefined {
  const [first, ...rest] = parsers.flatMap(({ parse }) => parse(text) ?? []).filter(({ total }) => total > 0);
  return first && joinSummaries([first, ...rest]);
}

/** Without colours and progress lines, lines ending in `\n`. */
function clean(text: string): string {
  const end = text.length > maxCharacters ? text.slice(text.indexOf('\n', text.length - maxCharacters) + 1) : text;
  return plainText(end)
    .replaceAll('\r\n', '\n')
    .replace(/^\uFEFF/, '');
}

function withShortLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.length > maxLineLength ? line.slice(0, maxLineLength) : line))
    .join('\n');
}
