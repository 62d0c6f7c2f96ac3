import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/api.ts';
import { useClient } from '../../client/client.ts';
import { useShown } from '../../view/shown.ts';
import { useSession } from '../../view/useSession.ts';

export type Entry = OutputOf<'file.list'>['entries'][number];
export type Marks = OutputOf<'file.marks'>['marks'];
interface Folder {
  readonly entries: readonly Entry[];
  readonly truncated: boolean;
  readonly error?: string;
}

/** What is known of one project. */
export interface Tree {
  readonly project: string | null;
  readonly folders: Readonly<Record<string, Folder>>;
  readonly marks: Marks;
}
const emptyTree = (project: string | null): Tree => ({ project, folders: {}, marks: {} });

/** What somebody else did in the open folders shows this soon (ms), and so do git's marks, which cost more. */
const looksEvery = 3_000;
const marksEvery = 15_000;

/** The folders that are open, as they are on the disk while the window is looked at, and what git says of their files. */
export function useTree() {
  const client = useClient();
  const project = useShown((shown) => shown.project);
  const [{ folders, marks }, setTree] = useState(emptyTree(project));
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  // What the agent and its commands have done shows at once.
  const done = useSession(
    ({ changeSets, tasks }) =>
      `${changeSets.map(({ state }) => state).join()} ${Object.values(tasks).filter(({ endedAt }) => endedAt).length}`,
  );

  const load = useCallback(
    async (path: string): Promise<void> => {
      if (project === null) return;
      const answer = await client.call('file.list', { project, path: path === '' ? '.' : path });
      const folder = answer.ok ? answer.value : { entries: [], truncated: false, error: answer.error.message };
      setTree((known) => withAnswer(known, project, { path, folder }));
    },
    [client, project],
  );
  const mark = useCallback(async (): Promise<void> => {
    if (project === null) return;
    const answer = await client.call('file.marks', { project });
    const marks = answer.ok ? answer.value.marks : {};
    setTree((known) => withAnswer(known, project, { marks }));
  }, [client, project]);
  const look = (): void => {
    for (const path of ['', ...open]) void load(path);
  };
  const reload = (): void => {
    look();
    void mark();
  };
  const onLook = useEffectEvent(look);
  const onReload = useEffectEvent(reload);

  useEffect(() => {
    setTree(emptyTree(project));
    setOpen(new Set());
    void load('');
    void mark();
  }, [project, load, mark]);
  useEffect(() => onReload(), [done]);
  useEffect(() => {
    const whenSeen = (act: () => void) => (): void => {
      if (document.visibilityState === 'visible') act();
    };
    const looking = setInterval(whenSeen(onLook), looksEvery);
    const marking = setInterval(whenSeen(onReload), marksEvery);
    const onFocus = (): void => onReload();
    window.addEventListener('focus', onFocus);
    return () => {
      clearInterval(looking);
      clearInterval(marking);
      window.removeEventListener('focus', onFocus);
    };
  }, []);

  const toggle = (path: string): void => {
    const next = new Set(open);
    if (!next.delete(path)) {
      next.add(path);
      void load(path);
    }
    setOpen(next);
  };
  return { folders, open, marks, reload, toggle };
}

type Answer = { readonly path: string; readonly folder: Folder } | { readonly marks: Marks };

/** With what was answered about a project; that of the former one may come after the window has gone to another. */
export function withAnswer(tree: Tree, project: string, answer: Answer): Tree {
  if (tree.project !== project) return tree;
  if ('marks' in answer) return isSame(tree.marks, answer.marks) ? tree : { ...tree, marks: answer.marks };
  const { path, folder } = answer;
  return isSame(tree.folders[path], folder) ? tree : { ...tree, folders: { ...tree.folders, [path]: folder } };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export interface Line {
  readonly entry: Entry;
  readonly depth: number;
  readonly isOpen: boolean;
}

/** The lines on show: folders before files, each by name as a person orders them. */
export function linesOf(
  folders: Readonly<Record<string, Folder>>,
  open: ReadonlySet<string>,
  path = '',
  depth = 0,
): readonly Line[] {
  const rank = ({ kind }: Entry): number => (kind === 'directory' ? 0 : 1);
  // What git keeps for itself is nobody's reading.
  const shown = (folders[path]?.entries ?? []).filter(({ name }) => name !== '.git');
  const sorted = shown.toSorted(
    (a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, undefined, { numeric: true }),
  );
  return sorted.flatMap((entry) => {
    const isOpen = open.has(entry.path);
    return [{ entry, depth, isOpen }, ...(isOpen ? linesOf(folders, open, entry.path, depth + 1) : [])];
  });
}
