import type { AppliedFile } from '../../../shared/model/change.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { proposedHunks } from '../workspace/composeVerdict.ts';
import { countLines } from '../workspace/diff.ts';
import { bytesAfter } from '../workspace/hands.ts';
import type { FileOutcome, ProposedChange } from '../workspace/proposedChange.ts';
import { hashOf } from '../workspace/textFile.ts';

/** What one call writes, and how each of its files fared with the person. */
export interface Share {
  readonly changes: readonly ProposedChange[];
  readonly files: readonly FileOutcome[];
}

/**
 * Several shares as one: edits of one file, each on top of the one before, become one change of it. Errors: STALE when an
 * edit starts from something else than what lies below it (two names of one file).
 */
export function mergeShares(shares: readonly Share[]): Result<Share> {
  const changes = new Map<string, ProposedChange>();
  const files = new Map<string, FileOutcome>();
  for (const share of shares) {
    for (const change of share.changes) {
      const key = fileOf(change);
      const below = changes.get(key);
      if (below && afterHash(below) !== (change.before?.hash ?? null))
        return fail('STALE', `${change.path} is changed twice, and not one change on top of the other.`);
      changes.set(key, below ? { ...below, after: change.after } : change);
      const outcome = share.files.find(({ path }) => path === change.path);
      if (!outcome) continue;
      const path = below?.path ?? change.path;
      files.set(key, { ...outcome, path, verdict: worse(files.get(key)?.verdict, outcome.verdict) });
    }
  }
  return ok({ changes: [...changes.values()], files: [...files.values()] });
}

/** The part of what was written that one call has to answer for. `written` is in the order of the merged changes. */
export function shareOf(share: Share, all: readonly Share[], written: readonly AppliedFile[]): readonly AppliedFile[] {
  const keys = [...new Set(all.flatMap(({ changes }) => changes.map(fileOf)))];
  const own: AppliedFile[] = [];
  for (const change of share.changes) {
    const file = written[keys.indexOf(fileOf(change))];
    if (!file) continue;
    const isShared = all.filter(({ changes }) => changes.some((one) => fileOf(one) === fileOf(change))).length > 1;
    own.push(isShared ? ownPart(file, change, share) : file);
  }
  return own;
}

function ownPart(file: AppliedFile, change: ProposedChange, { files }: Share): AppliedFile {
  return {
    ...file,
    status: change.status,
    before: change.before?.hash ?? null,
    after: afterHash(change),
    ...countLines(proposedHunks(change)),
    verdict: files.find(({ path }) => path === change.path)?.verdict ?? 'applied',
  };
}

function afterHash(change: ProposedChange): string | null {
  const bytes = bytesAfter(change);
  return bytes.ok && bytes.value ? hashOf(bytes.value) : null;
}

function fileOf({ real, path }: ProposedChange): string {
  return real ?? path;
}

const order: readonly AppliedFile['verdict'][] = ['applied', 'edited', 'partial', 'rejected'];

function worse(a: AppliedFile['verdict'] | undefined, b: AppliedFile['verdict']): AppliedFile['verdict'] {
  return a !== undefined && order.indexOf(a) > order.indexOf(b) ? a : b;
}
