import { FileDiff, FolderTree, type LucideIcon, MessageSquare, SquareTerminal } from 'lucide-react';
import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { taskCounts, waitingChanges } from '../mirror/selectors.ts';
import { Composer } from '../panels/composer/Composer.tsx';
import { Console } from '../panels/console/Console.tsx';
import { Conversation } from '../panels/conversation/Conversation.tsx';
import { SessionList } from '../panels/sessions/SessionList.tsx';
import { FileTree } from '../panels/tree/FileTree.tsx';
import { ErrorEdge } from '../parts/ErrorEdge.tsx';
import { type Pane, reveal, useRoom } from '../view/layout.ts';
import { useSession, useWorkbench } from '../view/useSession.ts';
import { useWords, type Words } from '../words/words.tsx';
import { RightSide } from './RightSide.tsx';

const panes: readonly {
  readonly id: Pane;
  readonly icon: LucideIcon;
  readonly label: (words: Words) => string;
  readonly panel: () => ReactNode;
}[] = [
  {
    id: 'left',
    icon: FolderTree,
    label: ({ sessions }) => sessions.title,
    panel: () => (
      <div className="flex h-full flex-col bg-frame">
        <div className="min-h-0 flex-1">
          <SessionList />
        </div>
        <div className="min-h-0 flex-1 border-t border-line">
          <FileTree />
        </div>
      </div>
    ),
  },
  {
    id: 'talk',
    icon: MessageSquare,
    label: ({ talk }) => talk.label,
    panel: () => (
      <main className="flex h-full min-h-0 flex-col bg-panel">
        <Conversation />
        <Composer />
      </main>
    ),
  },
  { id: 'right', icon: FileDiff, label: ({ review }) => review.title, panel: () => <RightSide /> },
  { id: 'console', icon: SquareTerminal, label: ({ console: shell }) => shell.title, panel: () => <Console /> },
];

/** The workbench in a narrow window: the same panels, one at a time. */
export function NarrowLayout() {
  const words = useWords();
  const pane = useRoom(({ pane }) => pane);
  const waiting = useSession((session) => waitingChanges(session).length);
  const running = useWorkbench((workbench) => taskCounts(workbench).running);
  const counts: Readonly<Partial<Record<Pane, number>>> = { right: waiting, console: running };
  return (
    <Tabs.Root
      value={pane}
      onValueChange={(next) => reveal(panes.find(({ id }) => id === next)?.id ?? 'talk')}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Tabs.List
        aria-label={words.layout.panels}
        className="grid h-9 shrink-0 grid-cols-4 border-b border-line bg-frame"
      >
        {panes.map(({ id, icon: Icon, label }) => (
          <Tabs.Trigger
            key={id}
            value={id}
            className="relative flex min-w-0 items-center justify-center gap-1.5 px-2 text-xs text-soft hover:text-ink data-[state=active]:font-semibold data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-3 data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-accent"
          >
            <Icon aria-hidden className="size-3.5 shrink-0" />
            <span className="truncate">{label(words)}</span>
            {(counts[id] ?? 0) > 0 && (
              <span className="tabular rounded-full bg-warn-tint px-1.5 text-2xs font-semibold text-warn">
                {counts[id]}
              </span>
            )}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {panes.map(({ id, panel }) => (
        <Tabs.Content key={id} value={id} className="min-h-0 flex-1 outline-none">
          <ErrorEdge name={id}>{panel()}</ErrorEdge>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
