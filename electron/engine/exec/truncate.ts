/** Counted inside the limit. */
const mark = '\n... (truncated)';

export interface StreamText {
  /** What was kept, from the beginning. */
  readonly text: string;
  /** Code points of the whole stream; more than `text` holds when not all of it was kept. */
  readonly totalChars: number;
}

export interface TruncatedOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

/**
 * Cuts two streams to `limit` code points together (0 = no limit), keeping their heads: stderr at least a quarter of the
 * limit, stdout what is left.
 */
export function truncateOutput(stdout: StreamText, stderr: StreamText, limit: number): TruncatedOutput {
  const both = stdout.totalChars + stderr.totalChars;
  const incomplete = codePoints(stdout.text) < stdout.totalChars || codePoints(stderr.text) < stderr.totalChars;
  if (limit === 0 || both <= limit) {
    if (!incomplete) return { stdout: stdout.text, stderr: stderr.text, truncated: false };
    const ended = ({ text, totalChars }: StreamText): string => (codePoints(text) < totalChars ? text + mark : text);
    return { stdout: ended(stdout), stderr: ended(stderr), truncated: true };
  }
  const errRoom = Math.max(Math.floor(limit / 4), limit - stdout.totalChars);
  const err = cut(stderr, errRoom);
  return { stdout: cut(stdout, limit - codePoints(err)), stderr: err, truncated: true };
}

/** What is kept of each stream, `keptBytes`, bounds the output where no limit does. */
export function truncationMessage(limit: number, keptBytes: number): string {
  const kept =
    limit > 0 && limit < keptBytes ? `${limit} chars` : `the first ${keptBytes / 1024 / 1024} MiB of each stream`;
  return `Output truncated to ${kept}. Narrow it with grep, head or tail, or redirect it to a file and read the part you need.`;
}

/** Length in Unicode code points. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i += 1) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      pairs += 1;
      i += 1;
    }
  }
  return text.length - pairs;
}

/** The part between two code points; `end` past the text is its end. */
export function sliceCodePoints(text: string, start: number, end = Number.POSITIVE_INFINITY): string {
  const from = indexOfCodePoint(text, 0, start);
  return text.slice(from, end === Number.POSITIVE_INFINITY ? undefined : indexOfCodePoint(text, from, end - start));
}

function indexOfCodePoint(text: string, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at < text.length; left -= 1) {
    const pair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    at += pair ? 2 : 1;
  }
  return at;
}

function cut({ text, totalChars }: StreamText, room: number): string {
  if (totalChars <= room && codePoints(text) === totalChars) return text;
  if (room <= mark.length) return mark.slice(0, Math.max(room, 0));
  return sliceCodePoints(text, 0, room - mark.length) + mark;
}
