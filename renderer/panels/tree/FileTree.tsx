import {
  AtSign,
  ChevronRight,
  CornerDownRight,
  FileText,
  Folder,
  FolderOpen,
  FolderTree,
  RefreshCw,
} from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/api.ts';
import { useClient } from '../../client/client.ts';
import { IconButton } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { Empty } from '../../parts/Empty.tsx';
import { mentionType } from '../../parts/mentionType.ts';
import { PanelTitle } from '../../parts/PanelTitle.tsx';
import { useFilesState } from '../../view/panelState.ts';
import { mention, openFile } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

type Entry = OutputOf<'file.list'>['entries'][number];
interface Folder {
  readonly entries: readonly Entry[];
  readonly truncated: boolean;
  readonly error?: string;
}

/** The project's files, read folder by folder as they are opened. */
export function FileTree() {
  const words = useWords();
  const client = useClient();
  const project = useShown(({ project }) => project);
  const [folders, setFolders] = useState<Readonly<Record<string, Folder>>>({});
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  // Files that the agent wrote may be new: the open folders are read again with each change set.
  const changes = useSession(({ changeSets }) => changeSets.length);

  const load = useCallback(
    async (path: string): Promise<void> => {
      if (project === null) return;
      const answer = await client.call('file.list', { project, path: path === '' ? '.' : path });
      setFolders((known) => ({
        ...known,
        [path]: answer.ok ? answer.value : { entries: [], truncated: false, error: answer.error.message },
      }));
    },
    [client, project],
  );
  const reload = (): void => {
    for (const path of ['', ...open]) void load(path);
  };
  const onChanges = useEffectEvent(reload);

  useEffect(() => {
    setFolders({});
    setOpen(new Set());
    void load('');
  }, [load]);
  useEffect(() => onChanges(), [changes]);

  const toggle = (path: string): void => {
    const next = new Set(open);
    if (!next.delete(path)) {
      next.add(path);
      void load(path);
    }
    setOpen(next);
  };
  const lines = useMemo(() => flatten(folders, open), [folders, open]);
  const root = folders[''];
  return (
    <section aria-label={words.tree.title} className="flex h-full min-h-0 flex-col">
      <PanelTitle title={words.tree.title}>
        <IconButton label={words.tree.refresh} onClick={reload}>
          <RefreshCw />
        </IconButton>
      </PanelTitle>
      {root && lines.length === 0 ? (
        <Empty icon={FolderTree} title={root.error ?? words.tree.empty} />
      ) : (
        <ul role="tree" aria-label={words.tree.title} className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-2">
          {lines.map((line) => (
            <TreeLine key={line.entry.path} {...line} onToggle={() => toggle(line.entry.path)} />
          ))}
          {Object.values(folders).some(({ truncated }) => truncated) && (
            <li className="px-2 py-1 text-2xs text-soft">{words.tree.truncated}</li>
          )}
        </ul>
      )}
    </section>
  );
}

interface Line {
  readonly entry: Entry;
  readonly depth: number;
  readonly isOpen: boolean;
}

function flatten(folders: Readonly<Record<string, Folder>>, open: ReadonlySet<string>, path = '', depth = 0): Line[] {
  return (folders[path]?.entries ?? []).flatMap((entry) => {
    const isOpen = open.has(entry.path);
    return [{ entry, depth, isOpen }, ...(isOpen ? flatten(folders, open, entry.path, depth + 1) : [])];
  });
}

function TreeLine({ entry, depth, isOpen, onToggle }: Line & { readonly onToggle: () => void }) {
  const words = useWords();
  const chosen = useFilesState(({ path }) => path === entry.path);
  const isFolder = entry.kind === 'directory';
  const Icon = isFolder ? (isOpen ? FolderOpen : Folder) : entry.kind === 'symlink' ? CornerDownRight : FileText;
  return (
    <li role="treeitem" aria-expanded={isFolder ? isOpen : undefined} aria-level={depth + 1} className="group relative">
      <button
        type="button"
        draggable
        onDragStart={(event) => event.dataTransfer.setData(mentionType, entry.path)}
        onClick={() => (isFolder ? onToggle() : openFile(entry.path))}
        onKeyDown={(event) => {
          if (isFolder && ((event.key === 'ArrowRight' && !isOpen) || (event.key === 'ArrowLeft' && isOpen)))
            onToggle();
          const to =
            event.key === 'ArrowDown'
              ? 'nextElementSibling'
              : event.key === 'ArrowUp'
                ? 'previousElementSibling'
                : null;
          if (to === null) return;
          event.preventDefault();
          event.currentTarget.closest('li')?.[to]?.querySelector('button')?.focus();
        }}
        className={cx(
          'flex h-6 w-full items-center gap-1.5 rounded-md pr-6 text-left hover:bg-hover',
          chosen && 'bg-chosen hover:bg-chosen',
          entry.ignored && 'opacity-55',
        )}
        style={{ paddingLeft: `${0.375 + depth * 0.75}rem` }}
      >
        <ChevronRight
          aria-hidden
          className={cx(
            'size-3 shrink-0 text-soft transition-transform',
            isOpen && 'rotate-90',
            !isFolder && 'invisible',
          )}
        />
        <Icon
          aria-hidden
          className={cx('size-3.5 shrink-0', isFolder ? 'text-accent' : 'text-soft')}
          strokeWidth={1.75}
        />
        <span className="truncate">{entry.name}</span>
      </button>
      <button
        type="button"
        aria-label={`${words.tree.mention}: ${entry.path}`}
        title={words.tree.mention}
        onClick={() => mention([entry.path])}
        className="absolute top-0.5 right-1 rounded-sm p-1 text-soft opacity-0 group-hover:opacity-100 hover:text-ink focus-visible:opacity-100"
      >
        <AtSign aria-hidden className="size-3" />
      </button>
    </li>
  );
}
