import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { Script } from 'node:vm';
import type { MessagePort } from 'node:worker_threads';
import { splitLines, withoutLineEnd } from '../../../../shared/text/lines.ts';
import { decodeText, maxFileBytes } from '../../workspace/textFile.ts';
import { clipLine, showMatch, type TextMatch } from './textMatch.ts';

export interface PatternJob {
  readonly pattern: string;
  readonly flags: string;
  /** Real paths. */
  readonly files: readonly string[];
  readonly contextLines: number;
  /** Matches to tell; the rest is counted. */
  readonly limit: number;
  /** Time for each file, in milliseconds. */
  readonly limitMs: number;
}

export interface PatternFile {
  readonly matches: readonly Omit<TextMatch, 'file'>[];
  readonly count: number;
  readonly timedOut: boolean;
}

/** One entry a file of the job. */
export type PatternReply = readonly PatternFile[];

/** Serves one side of the thread: a job in, its reply out. */
export function servePatternJobs(port: MessagePort): void {
  port.on('message', (job: PatternJob) => {
    let left = job.limit;
    const reply = job.files.map((file) => {
      const found = searchFile(file, { ...job, limit: left });
      left -= found.matches.length;
      return found;
    });
    port.postMessage(reply satisfies PatternReply);
  });
}

function searchFile(file: string, job: PatternJob): PatternFile {
  const text = readTextSync(file);
  const matches: Omit<TextMatch, 'file'>[] = [];
  let count = 0;
  if (text === undefined) return { matches, count, timedOut: false };
  const pattern = new RegExp(job.pattern, job.flags);
  const lines = splitLines(text).map(withoutLineEnd);
  const isInTime = withinTime(job.limitMs, () => {
    for (const [index, line] of lines.entries()) {
      for (const match of line.matchAll(pattern)) {
        count += 1;
        if (matches.length >= job.limit) continue;
        matches.push({
          line: index + 1,
          ...showMatch(line, match.index, match.index + match[0].length),
          before: lines.slice(Math.max(0, index - job.contextLines), index).map(clipLine),
          after: lines.slice(index + 1, index + 1 + job.contextLines).map(clipLine),
        });
      }
    }
  });
  return { matches, count, timedOut: !isInTime };
}

const runner = new Script('globalThis.viseTimedTask()');

/** False when the task had to be broken off: a regular expression cannot be stopped in any other way from inside. */
function withinTime(limitMs: number, task: () => void): boolean {
  Object.assign(globalThis, { viseTimedTask: task });
  try {
    runner.runInThisContext({ timeout: limitMs });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

/** The text of an ordinary file of bearable size, links not followed; undefined for everything else. */
function readTextSync(file: string): string | undefined {
  let handle: number | undefined;
  try {
    // A folder on the way that became a link since the walk is not gone through (P9).
    if (realpathSync(file) !== file) return undefined;
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size > maxFileBytes) return undefined;
    const bytes = Buffer.alloc(stats.size);
    const length = readSync(handle, bytes, 0, stats.size, 0);
    const decoded = decodeText(bytes.subarray(0, length));
    return decoded.ok ? decoded.value.text : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
