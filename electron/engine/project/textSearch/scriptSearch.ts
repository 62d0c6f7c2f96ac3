import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { compareBytes } from '../../workspace/byteOrder.ts';
import type { Look } from '../../workspace/look.ts';
import { listFiles } from './listFiles.ts';
import type { PatternJob, PatternReply } from './patternThread.ts';
import { type FoundText, fileFilter, placeOf, type TextSearch } from './searchScope.ts';
import type { TextMatch } from './textMatch.ts';

/** Files a message: enough to keep the thread busy, few enough to stay bounded. */
const filesAtOnce = 50;

/**
 * The search by JavaScript's own engine: what it matches can cost exponential time, so it runs in a thread, and each file is
 * given up after its time limit. Errors: CANCELLED, UNAVAILABLE.
 */
export async function searchWithScript(
  look: Look,
  search: TextSearch,
  unicode: boolean,
  signal: AbortSignal,
  /** Only these files, below the root. */
  only?: readonly string[],
): Promise<Result<FoundText>> {
  const place = placeOf(look, search.start);
  const names = only ? ok(only) : await namesOf(look, search, signal);
  if (!names.ok) return names;
  const thread = new Worker(patternWorkerFile());
  const stop = () => void thread.terminate();
  signal.addEventListener('abort', stop, { once: true });
  const matches: TextMatch[] = [];
  const timedOut: string[] = [];
  let totalMatches = 0;
  let filesWithMatches = 0;
  try {
    for (let at = 0; at < names.value.length; at += filesAtOnce) {
      const batch = names.value.slice(at, at + filesAtOnce);
      const job: PatternJob = {
        pattern: search.pattern,
        flags: `g${search.ignoreCase ? 'i' : ''}${unicode ? 'u' : ''}`,
        files: batch.map((name) => path.join(place.root, name)),
        contextLines: search.contextLines,
        limit: Math.max(0, search.limit - matches.length),
        limitMs: fileLimitMs,
      };
      const reply = await askThread(thread, job, signal);
      if (!reply.ok) return reply;
      for (const [index, found] of reply.value.entries()) {
        const file = place.fileOf(batch[index] ?? '');
        if (found.timedOut) timedOut.push(file);
        if (found.count === 0) continue;
        totalMatches += found.count;
        filesWithMatches += 1;
        for (const match of found.matches) if (matches.length < search.limit) matches.push({ file, ...match });
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.terminate();
  }
  return ok({ matches, totalMatches, filesWithMatches, truncated: matches.length < totalMatches, timedOut });
}

/** A file that takes longer is passed over. */
const fileLimitMs = 2000;

async function namesOf(look: Look, search: TextSearch, signal: AbortSignal): Promise<Result<readonly string[]>> {
  const { root, below } = placeOf(look, search.start);
  const matches = fileFilter(search.files, below);
  if (search.start.kind === 'file') return ok(matches(below) ? [below] : []);
  const names: string[] = [];
  const listed = await listFiles(look, search.start, {
    signal,
    glob: search.files,
    take: (name, isHidden) => {
      if (matches(name) && !isHidden()) names.push(name);
    },
  });
  if (!listed.ok) return listed;
  if (signal.aborted) return fail('CANCELLED', 'The search was stopped');
  return ok(root === '' ? [] : names.sort(compareBytes));
}

function askThread(thread: Worker, job: PatternJob, signal: AbortSignal): Promise<Result<PatternReply>> {
  return new Promise((resolve) => {
    const settle = (result: Result<PatternReply>) => {
      thread.off('message', reply).off('error', broken).off('exit', gone);
      resolve(result);
    };
    const reply = (message: PatternReply) => settle(ok(message));
    const broken = (error: Error) => settle(fail('UNAVAILABLE', `The search thread failed: ${error.message}`));
    const gone = () =>
      settle(
        signal.aborted
          ? fail('CANCELLED', 'The search was stopped')
          : fail('UNAVAILABLE', 'The search thread ended before it answered'),
      );
    thread.on('message', reply).on('error', broken).on('exit', gone);
    thread.postMessage(job);
  });
}

/** Bundled, all programs lie one folder below the worker; from source, the entry is a TypeScript file that Node runs. */
function patternWorkerFile(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./patternWorker.ts', import.meta.url)
    : new URL('../patternWorker.js', import.meta.url);
}
