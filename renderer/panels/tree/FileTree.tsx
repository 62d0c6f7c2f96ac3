import {
  AtSign,
  ChevronRight,
  Copy,
  CornerDownRight,
  FileText,
  Folder,
  FolderOpen,
  FolderTree,
  MoreHorizontal,
  RefreshCw,
} from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useMemo } from 'react';
import { hostFeatures } from '../../client/hostFeatures.ts';
import { IconButton } from '../../parts/Button.tsx';
import { copyText } from '../../parts/copyText.ts';
import { cx } from '../../parts/cx.ts';
import { Empty } from '../../parts/Empty.tsx';
import { mentionType } from '../../parts/mentionType.ts';
import { menuItemLook, popLook } from '../../parts/menuLook.ts';
import { PanelTitle } from '../../parts/PanelTitle.tsx';
import { useFilesState } from '../../view/panelState.ts';
import { mention, openFile } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import { useWords } from '../../words/words.tsx';
import { type Line, linesOf, type Marks, useTree } from './useTree.ts';

/** The project's files, read folder by folder as they are opened. */
export function FileTree() {
  const words = useWords();
  const { folders, open, marks, reload, toggle } = useTree();
  const lines = useMemo(() => linesOf(folders, open), [folders, open]);
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
            <TreeLine
              key={line.entry.path}
              {...line}
              mark={marks[line.entry.path]}
              onToggle={() => toggle(line.entry.path)}
            />
          ))}
          {Object.values(folders).some(({ truncated }) => truncated) && (
            <li className="px-2 py-1 text-2xs text-soft">{words.tree.truncated}</li>
          )}
        </ul>
      )}
    </section>
  );
}

const markLooks = {
  added: { letter: 'A', color: 'text-good' },
  untracked: { letter: 'U', color: 'text-good' },
  modified: { letter: 'M', color: 'text-warn' },
  renamed: { letter: 'R', color: 'text-accent' },
  deleted: { letter: 'D', color: 'text-bad' },
  conflicted: { letter: '!', color: 'text-bad' },
} as const;

function TreeLine({
  entry,
  depth,
  isOpen,
  mark,
  onToggle,
}: Line & { readonly mark: Marks[string] | undefined; readonly onToggle: () => void }) {
  const words = useWords();
  const chosen = useFilesState(({ path }) => path === entry.path);
  const isFolder = entry.kind === 'directory';
  const Icon = isFolder ? (isOpen ? FolderOpen : Folder) : entry.kind === 'symlink' ? CornerDownRight : FileText;
  const look = mark && markLooks[mark];
  return (
    <li role="treeitem" aria-expanded={isFolder ? isOpen : undefined} aria-level={depth + 1} className="group relative">
      <button
        type="button"
        draggable
        onContextMenu={(event) => {
          event.preventDefault();
          const menu = event.currentTarget.nextElementSibling;
          menu?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
        }}
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
        <span className={cx('truncate', look?.color)}>{entry.name}</span>
        {look && mark && (
          <span title={words.tree.marks[mark]} className={cx('ml-auto shrink-0 font-mono text-2xs', look.color)}>
            <span aria-hidden>{isFolder ? '•' : look.letter}</span>
            <span className="sr-only">{words.tree.marks[mark]}</span>
          </span>
        )}
      </button>
      <LineMenu path={entry.path} onOpen={isFolder ? onToggle : () => openFile(entry.path)} />
    </li>
  );
}

/** What can be done with a file or folder, by its button and by a press of the right one. */
function LineMenu({ path, onOpen }: { readonly path: string; readonly onOpen: () => void }) {
  const words = useWords();
  const { reveal } = hostFeatures;
  const project = useShown((shown) => shown.project) ?? '';
  const acts = [
    { Icon: FileText, text: words.tree.open, act: onOpen },
    { Icon: AtSign, text: words.tree.mention, act: () => mention([path]) },
    { Icon: Copy, text: words.tree.copyPath, act: () => void copyText(path, words) },
    { Icon: Copy, text: words.tree.copyWholePath, act: () => void copyText(`${project}/${path}`, words) },
    ...(reveal ? [{ Icon: FolderOpen, text: words.tree.reveal, act: () => reveal(project, path) }] : []),
  ];
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          aria-label={`${words.tree.menu}: ${path}`}
          className="absolute top-0 right-0 rounded-sm p-1.5 text-soft opacity-0 group-hover:opacity-100 hover:text-ink focus-visible:opacity-100 data-[state=open]:opacity-100"
        >
          <MoreHorizontal aria-hidden className="size-3" />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="start" className={cx(popLook, 'w-52')}>
          {acts.map(({ Icon, text, act }) => (
            <DropdownMenu.Item key={text} className={menuItemLook} onSelect={() => setTimeout(act)}>
              <Icon aria-hidden />
              {text}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
