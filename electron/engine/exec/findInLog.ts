import { type FileHandle, open } from 'node:fs/promises';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { errnoOf } from '../base/log.ts';
import { plainText } from './plainText.ts';

/** One line of a log that holds what was searched, as plain text, with its neighbours. */
export interface FoundLine {
  /** 1-based in what is kept of the log. */
  readonly line: number;
  readonly text: string;
  readonly before: string[];
  readonly after: string[];
}

export interface Sought {
  readonly query: string;
  readonly caseSensitive: boolean;
  /** Lines given back; all are counted. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

const pieceBytes = 256 * 1024;
/** A longer line is searched in parts of this length: a log may be one line of any size. */
const longestLine = 64 * 1024;
/** Shown of a line, around what was found. */
const shownChars = 400;
const neighbours = 2;

/** Searches a whole log, its older half first, in bounded memory. Errors: CANCELLED. A log that is gone has no lines. */
export async function findInLog(
  path: string,
  { query, caseSensitive, limit, signal }: Sought,
): Promise<Result<{ readonly total: number; readonly lines: FoundLine[] }>> {
  const fold = (text: string): string => (caseSensitive ? text : text.toLowerCase());
  const wanted = fold(query);
  const lines: FoundLine[] = [];
  let total = 0;
  let last: string[] = [];
  const look = (raw: string, line: number): void => {
    const text = plainText(raw);
    for (const found of lines.slice(-neighbours))
      if (found.line < line && found.after.length < neighbours && found.line >= line - neighbours)
        found.after.push(text.slice(0, shownChars));
    const at = fold(text).indexOf(wanted);
    if (at >= 0) {
      total += 1;
      if (lines.length < limit) lines.push({ line, text: around(text, at), before: last, after: [] });
    }
    last = [...last, text.slice(0, shownChars)].slice(-neighbours);
  };

  let number = 0;
  for (const each of [path.replace(/\.log$/, '.1.log'), path]) {
    let rest = '';
    for await (const piece of piecesOf(each)) {
      if (signal.aborted) return fail('CANCELLED', 'A newer search took the place of this one.');
      const parts = (rest + piece).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        number += 1;
        look(part.endsWith('\r') ? part.slice(0, -1) : part, number);
      }
      if (rest.length < longestLine) continue;
      look(rest, number + 1);
      // What is sought may lie across the cut, but not wholly in what is looked at twice.
      rest = query.length > 1 ? rest.slice(1 - query.length) : '';
    }
    if (rest !== '') {
      number += 1;
      look(rest, number);
    }
  }
  return ok({ total, lines });
}

async function* piecesOf(path: string): AsyncGenerator<string> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    const decoder = new TextDecoder();
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes);
      if (bytesRead === 0) break;
      yield decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
    }
    yield decoder.decode();
  } finally {
    await file.close();
  }
}

function around(text: string, at: number): string {
  const from = Math.max(0, Math.min(at - shownChars / 4, text.length - shownChars));
  return text.slice(from, from + shownChars);
}
