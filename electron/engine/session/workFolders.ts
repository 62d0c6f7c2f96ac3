import type { Call } from '../../../shared/model/call.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf, timelineLength } from '../../../shared/model/timeline.ts';

const maxFolders = 100;

/**
 * The folders below the project that a session works in, in the order of their first use: every folder on the way to what
 * its calls read or wrote, and the targets themselves unless they are known to be files. Looks only at what is new since
 * it was asked.
 */
export function createWorkFolders(): (state: SessionState) => readonly string[] {
  let seen = 0;
  const folders = new Set<string>();
  let known: readonly string[] = [];
  return (state) => {
    for (const item of itemsOf(state.items, seen)) {
      if (item.kind !== 'call') continue;
      const isFile = touchesFiles(item.call);
      for (const target of item.call.intent?.targets ?? [])
        if (target.kind === 'path') addAll(folders, isFile ? parentOf(target.path) : target.path);
    }
    seen = timelineLength(state.items);
    if (known.length !== folders.size) known = [...folders];
    return known;
  };
}

/** Whether its targets are files for certain: their text was brought, or they were written. */
function touchesFiles({ intent, brought }: Call): boolean {
  return intent?.preview.kind === 'changes' || brought?.files !== undefined;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function addAll(folders: Set<string>, path: string): void {
  if (path.startsWith('/') || path.startsWith('..') || path === '.' || path === '') return;
  const names = path.split('/');
  for (let length = 1; length <= names.length && folders.size < maxFolders; length += 1)
    folders.add(names.slice(0, length).join('/'));
}
