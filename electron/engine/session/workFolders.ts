import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf, timelineLength } from '../../../shared/model/timeline.ts';

const maxFolders = 100;

/**
 * The folders below the project that a session works in, in the order of their first use: every folder on the way to what
 * its calls read or wrote, and the targets themselves (they may be folders). Looks only at what is new since it was asked.
 */
export function createWorkFolders(): (state: SessionState) => readonly string[] {
  let seen = 0;
  const folders = new Set<string>();
  return (state) => {
    for (const item of itemsOf(state.items, seen)) {
      if (item.kind !== 'call') continue;
      for (const target of item.call.intent?.targets ?? []) if (target.kind === 'path') addAll(folders, target.path);
    }
    seen = timelineLength(state.items);
    return [...folders];
  };
}

function addAll(folders: Set<string>, path: string): void {
  if (path.startsWith('/') || path.startsWith('..') || path === '.') return;
  const names = path.split('/');
  for (let length = 1; length <= names.length && folders.size < maxFolders; length += 1)
    folders.add(names.slice(0, length).join('/'));
}
