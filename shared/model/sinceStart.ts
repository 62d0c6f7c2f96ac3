import type { AppliedChangeSet, AppliedFile } from './change.ts';

/**
 * What a session has changed, file by file, from its content before the first change set (oldest first) to that after the last
 * one. What was undone, rejected or came back to its beginning is left out.
 */
export function sinceStart(sets: readonly AppliedChangeSet[]): readonly AppliedFile[] {
  const files = new Map<string, AppliedFile>();
  for (const file of writtenFilesOf(sets)) {
    const from = file.oldPath ?? file.path;
    const first = files.get(from);
    files.delete(from);
    files.set(file.path, first ? joined(first, file) : file);
  }
  return [...files.values()].filter(({ before, after, oldPath }) => before !== after || oldPath !== undefined);
}

/** What these change sets have written and nobody has undone, the oldest first. */
export function writtenFilesOf(sets: readonly AppliedChangeSet[]): readonly AppliedFile[] {
  return sets
    .filter(({ state }) => state === 'applied')
    .flatMap(({ files }) => files.filter(({ verdict }) => verdict !== 'rejected'));
}

function joined(first: AppliedFile, last: AppliedFile): AppliedFile {
  const began = first.oldPath ?? first.path;
  const oldPath = first.before !== null && began !== last.path ? began : undefined;
  const { before, beforeMode, madeFolders } = first;
  const { path, after, afterMode } = last;
  const status =
    before === null ? 'added' : after === null ? 'deleted' : oldPath === undefined ? 'modified' : 'renamed';
  // How many lines the two make together nobody has counted: the head of the file then says nothing.
  const lines = { additions: 0, deletions: 0, verdict: 'applied' } as const;
  return { path, oldPath, status, before, after, beforeMode, afterMode, madeFolders, ...lines };
}
