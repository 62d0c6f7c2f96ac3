import { Maximize2, Minimize2 } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { useCommandKeys } from '../commands/ownKeys.ts';
import { waitingChanges } from '../mirror/selectors.ts';
import { BrowserPanel } from '../panels/browser/BrowserPanel.tsx';
import { FileViewer } from '../panels/files/FileViewer.tsx';
import { GitPanel } from '../panels/git/GitPanel.tsx';
import { Plan } from '../panels/plan/Plan.tsx';
import { Review } from '../panels/review/Review.tsx';
import { IconButton } from '../parts/Button.tsx';
import { ErrorEdge } from '../parts/ErrorEdge.tsx';
import { isMac, keysText } from '../parts/keys.ts';
import { type RightTab, toggleWide, useLayout, useRoom } from '../view/layout.ts';
import { offerPanel } from '../view/panelCalls.ts';
import { showTab } from '../view/show.ts';
import { useSession } from '../view/useSession.ts';
import { useWords, type Words } from '../words/words.tsx';

/** The tabs of the right side; one more is one more line here. */
const tabs: readonly {
  readonly id: RightTab;
  readonly label: (words: Words) => string;
  readonly panel: () => ReactNode;
}[] = [
  { id: 'review', label: (words) => words.review.title, panel: () => <Review /> },
  { id: 'files', label: (words) => words.files.title, panel: () => <FileViewer /> },
  { id: 'plan', label: (words) => words.plan.title, panel: () => <Plan /> },
  { id: 'git', label: (words) => words.git.title, panel: () => <GitPanel /> },
  { id: 'browser', label: (words) => words.browser.title, panel: () => <BrowserPanel /> },
];

export function RightSide() {
  const words = useWords();
  const right = useLayout(({ right }) => right);
  const wide = useRoom(({ wide }) => wide);
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const focus = (): void => {
      // A tab that was there before is still hidden while effects run.
      queueMicrotask(() => {
        const panel = side.current?.querySelector<HTMLElement>('[role=tabpanel][data-state=active]');
        (panel?.querySelector<HTMLElement>('[data-first-focus]') ?? panel)?.focus();
      });
    };
    return offerPanel('right', { focus }, right);
  }, [right]);
  const waiting = useSession((session) => waitingChanges(session).length);
  const keys = useCommandKeys('toggleWide');
  return (
    <Tabs.Root
      ref={side}
      value={right}
      onValueChange={(next) => showTab(tabs.find(({ id }) => id === next)?.id ?? 'review')}
      className="flex h-full min-h-0 flex-col bg-panel"
    >
      <div className="flex h-8.5 shrink-0 items-center border-b border-line pr-1.5 pl-1.5">
        <Tabs.List aria-label={words.layout.right} className="flex h-full flex-1 items-stretch">
          {tabs.map(({ id, label }) => (
            <Tabs.Trigger
              key={id}
              value={id}
              className="relative flex items-center gap-1.5 px-2.5 text-xs text-soft transition-colors hover:text-ink data-[state=active]:font-semibold data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-2 data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-accent"
            >
              {label(words)}
              {id === 'review' && waiting > 0 && (
                <span className="tabular rounded-full bg-warn-tint px-1.5 text-2xs font-semibold text-warn">
                  {waiting}
                </span>
              )}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <IconButton
          label={wide ? words.review.narrow : words.review.wide}
          keys={keys ? keysText(keys, isMac) : ''}
          aria-pressed={wide}
          onClick={toggleWide}
        >
          {wide ? <Minimize2 /> : <Maximize2 />}
        </IconButton>
      </div>
      {tabs.map(({ id, panel }) => (
        <Tabs.Content key={id} value={id} className="min-h-0 flex-1 outline-none">
          <ErrorEdge name={id}>{panel()}</ErrorEdge>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
