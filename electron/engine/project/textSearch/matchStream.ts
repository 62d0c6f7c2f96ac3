import { binaryWindowBytes, decodeText } from '../../workspace/textFile.ts';
import { keepFirstFiles } from './firstFiles.ts';
import { clipLine, showMatch, type TextMatch } from './textMatch.ts';

export interface TextMatches {
  /** In the order of paths (bytes), lines and columns. */
  readonly matches: readonly TextMatch[];
  readonly totalMatches: number;
  readonly filesWithMatches: number;
  readonly truncated: boolean;
}

/** A line of ripgrep's output longer than this is only counted: a 10 MiB file in one line, escaped, still fits. */
const maxRecordBytes = 24 * 1024 * 1024;

/**
 * Reads what `rg --json` prints, in whatever order the files come, keeping the first `limit` matches by path and counting the
 * rest without decoding them.
 */
export function createMatchStream(options: {
  readonly limit: number;
  readonly contextLines: number;
  /** The project's name of a file, or undefined to leave it out. */
  readonly fileOf: (name: string) => string | undefined;
}) {
  const { limit, contextLines, fileOf } = options;
  const first = keepFirstFiles<TextMatch>(limit);
  let parts: Buffer[] = [];
  let partBytes = 0;
  let overlong = 0;
  let totalMatches = 0;
  let filesWithMatches = 0;
  let current: OpenFile | undefined;

  const record = (line: Buffer) => {
    switch (line[typeAt]) {
      case typeBegin: {
        const file = fileOf(nameIn(line));
        current = file === undefined ? undefined : { file, isWanted: first.wants(file), count: 0, records: [] };
        return;
      }
      case typeMatch:
        if (!current) return;
        if (current.isWanted && current.count < limit) current.records.push(JSON.parse(line.toString()) as RgLine);
        current.count += countMatches(line);
        return;
      case typeContext:
        if (current?.isWanted && current.count < limit + contextLines)
          current.records.push(JSON.parse(line.toString()) as RgLine);
        return;
      case typeEnd:
        if (current) close(current, line);
        current = undefined;
        return;
      default:
    }
  };

  const close = (open: OpenFile, end: Buffer) => {
    if (open.count === 0 || isBinaryEnd(end)) return;
    totalMatches += open.count;
    filesWithMatches += 1;
    if (open.isWanted) first.add(open.file, matchesOf(open.file, open.records, contextLines).slice(0, limit));
  };

  return {
    push(chunk: Buffer): void {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        const tail = chunk.subarray(start, end);
        if (overlong > 0) {
          if (current) current.count += overlong - 1 + countMatches(tail);
          overlong = 0;
        } else record(parts.length === 0 ? tail : Buffer.concat([...parts, tail]));
        parts = [];
        partBytes = 0;
        start = end + 1;
      }
      const rest = chunk.subarray(start);
      if (rest.length === 0) return;
      if (overlong > 0) {
        overlong += countMatches(rest);
        return;
      }
      parts.push(rest);
      partBytes += rest.length;
      if (partBytes <= maxRecordBytes) return;
      overlong = 1 + countMatches(Buffer.concat(parts));
      parts = [];
      partBytes = 0;
    },
    end(): TextMatches {
      const matches = first.matches();
      return { matches, totalMatches, filesWithMatches, truncated: matches.length < totalMatches };
    },
  };
}

interface OpenFile {
  readonly file: string;
  readonly isWanted: boolean;
  count: number;
  readonly records: RgLine[];
}

type RgText = { readonly text: string } | { readonly bytes: string };

interface RgLine {
  readonly type: 'match' | 'context';
  readonly data: {
    readonly lines: RgText;
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number; readonly end: number }[];
  };
}

/** Each record begins `{"type":"begin"`, "match", "context", "end" or "summary". */
const typeAt = 9;
const [typeBegin, typeMatch, typeContext, typeEnd] = [...Buffer.from('bmce')];
const namePrefix = Buffer.from('{"type":"begin","data":{"path":{"text":"');
/** Quotes inside texts are escaped, so this stands only where a match is told. */
const matchMark = Buffer.from('{"match":{');
const notBinary = Buffer.from('"binary_offset":null');

function nameIn(line: Buffer): string {
  const end = line.indexOf('"', namePrefix.length);
  if (line.indexOf(namePrefix) === 0 && line.indexOf('\\') === -1) return line.toString('utf8', namePrefix.length, end);
  const { data } = JSON.parse(line.toString()) as { data: { path: RgText } };
  return 'text' in data.path ? data.path.text : Buffer.from(data.path.bytes, 'base64').toString('latin1');
}

function countMatches(line: Buffer): number {
  let count = 0;
  for (let at = line.indexOf(matchMark); at !== -1; at = line.indexOf(matchMark, at + matchMark.length)) count += 1;
  return count;
}

/** Ripgrep looks for NUL as it goes; a file is binary only when one stands at its beginning. */
function isBinaryEnd(line: Buffer): boolean {
  if (line.includes(notBinary)) return false;
  const { data } = JSON.parse(line.toString()) as { data: { binary_offset: number } };
  return data.binary_offset < binaryWindowBytes;
}

function matchesOf(file: string, records: readonly RgLine[], contextLines: number): readonly TextMatch[] {
  const lines = new Map(records.map(({ data }) => [data.line_number, textOf(data.lines)]));
  return records.flatMap(({ type, data }) => {
    const line = data.line_number;
    const here = lines.get(line);
    if (type !== 'match' || !here) return [];
    const { text, unitAt } = here;
    const around = (from: number) =>
      Array.from({ length: contextLines }, (_, index) => lines.get(from + index)?.text)
        .filter((one) => one !== undefined)
        .map(clipLine);
    const before = around(line - contextLines);
    const after = around(line + 1);
    return data.submatches.map(({ start, end }) => ({
      file,
      line,
      ...showMatch(text, unitAt(start), Math.min(text.length, unitAt(end))),
      before,
      after,
    }));
  });
}

/** A line without its end, and the way from byte offsets (asked in rising order) to UTF-16 units. */
function textOf(lines: RgText): { readonly text: string; readonly unitAt: (byte: number) => number } {
  // Most lines are ASCII, and some have a megabyte: these are not encoded again.
  if ('text' in lines && Buffer.byteLength(lines.text) === lines.text.length)
    return { text: withoutEnd(lines.text), unitAt: (byte) => byte };
  const bytes = 'text' in lines ? Buffer.from(lines.text) : Buffer.from(lines.bytes, 'base64');
  const decoded = 'text' in lines ? undefined : decodeText(bytes);
  const whole = 'text' in lines ? lines.text : decoded?.ok ? decoded.value.text : bytes.toString('latin1');
  const text = withoutEnd(whole);
  if (bytes.length === whole.length) return { text, unitAt: (byte) => byte };
  const decoder = new TextDecoder(decoded?.ok ? decoded.value.encoding : 'utf-8', { ignoreBOM: true });
  let [fromByte, fromUnit] = [0, 0];
  // A line can have megabytes and thousands of matches: each part of it is decoded once.
  const unitAt = (byte: number) => {
    fromUnit += decoder.decode(bytes.subarray(fromByte, byte)).length;
    fromByte = Math.max(fromByte, byte);
    return fromUnit;
  };
  return { text, unitAt };
}

const withoutEnd = (line: string): string =>
  line.endsWith('\n') ? line.slice(0, line.endsWith('\r\n') ? -2 : -1) : line;
