import type { AppliedChangeSet, AppliedFile } from '../../../shared/model/change.ts';
import type { ScrollFile } from './scrollFile.ts';

/**
 * What a session has changed, file by file, from its content before the first change set (oldest first) to that after the last
 * one. What was undone, rejected or came back to its beginning is left out.
 */
export function sinceStart(sets: readonly AppliedChangeSet[]): readonly ScrollFile[] {
  const files = new Map<string, AppliedFile>();
  for (const { files: written } of sets.filter(({ state }) => state === 'applied')) {
    for (const file of written.filter(({ verdict }) => verdict !== 'rejected')) {
      const from = file.oldPath ?? file.path;
      const first = files.get(from);
      files.delete(from);
      files.set(file.path, first ? joined(first, file) : file);
    }
  }
  return [...files.values()]
    .filter(({ before, after, oldPath }) => before !== after || oldPath !== undefined)
    .map((change) => ({ key: `whole ${change.path}`, change }));
}

function joined(first: AppliedFile, last: AppliedFile): AppliedFile {
  const began = first.oldPath ?? first.path;
  const oldPath = first.before !== null && began !== last.path ? began : undefined;
  const { before } = first;
  const { path, after } = last;
  const status =
    before === null ? 'added' : after === null ? 'deleted' : oldPath === undefined ? 'modified' : 'renamed';
  // How many lines the two make together nobody has counted: the head of the file then says nothing.
  return { path, oldPath, status, before, after, additions: 0, deletions: 0, verdict: 'applied' };
}
