import type { Call } from '../../../shared/model/call.ts';
import type { Change, ContentId } from '../../../shared/model/change.ts';

/** The changes that a call showed. */
export function changesOf({ intent }: Call): readonly Change[] {
  return intent?.preview.kind === 'changes' ? intent.preview.changes : [];
}

/** The calls whose changes are written together with those of this one, in the order of the reply; itself among them. */
export function writtenWith<C extends Call>(call: C, all: readonly C[]): readonly C[] {
  const { together } = call.answer ?? {};
  if (!together) return [call];
  return together.flatMap((id) => all.find((one) => one.id === id && changesOf(one).length > 0) ?? []);
}

/** The content of each path before these changes (null: missing); of several changes of one path the first counts. */
export function contentsBefore(changes: readonly Change[]): ReadonlyMap<string, ContentId | null> {
  const before = new Map<string, ContentId | null>();
  for (const { path, oldPath, before: id } of changes) {
    if (oldPath !== undefined) before.set(oldPath, id);
    if (!before.has(path)) before.set(path, oldPath === undefined ? id : null);
  }
  return before;
}

/** The content of each path after these changes; of several changes of one path the last counts. */
export function contentsAfter(changes: readonly Change[]): ReadonlyMap<string, ContentId | null> {
  const after = new Map<string, ContentId | null>();
  for (const { oldPath } of changes) if (oldPath !== undefined) after.set(oldPath, null);
  for (const { path, after: id } of changes) after.set(path, id);
  return after;
}
