import { Clock, Inbox as InboxIcon, ListTree, Play, Search, Square } from 'lucide-react';
import { useClient, valueOrToast } from '../../client/client.ts';
import { useCommandKeys } from '../../commands/ownKeys.ts';
import { taskCounts, waitingTotal } from '../../mirror/selectors.ts';
import { cx } from '../../parts/cx.ts';
import { isMac, keysText } from '../../parts/keys.ts';
import { Tip } from '../../parts/Tip.tsx';
import { reveal } from '../../view/layout.ts';
import { openOverlay } from '../../view/overlay.ts';
import { useShown } from '../../view/shown.ts';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { ModelMenu } from './ModelMenu.tsx';
import { PhaseStrip } from './PhaseStrip.tsx';
import { ProjectSwitcher } from './ProjectSwitcher.tsx';
import { SideButton } from './SideButton.tsx';

const chip =
  'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs text-soft transition-colors hover:bg-hover hover:text-ink [&_svg]:size-3.5';

export function Header() {
  const words = useWords();
  const hasProject = useShown(({ project }) => project !== null);
  const keys = useCommandKeys('palette');
  return (
    <header
      aria-label={words.layout.header}
      className="titlebar @container flex h-10 shrink-0 items-center gap-1.5 border-b border-line bg-frame px-2"
    >
      <ProjectSwitcher />
      {hasProject && (
        <>
          <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />
          <PhaseStrip />
        </>
      )}
      <span className="min-w-0 flex-1" />
      <Tip text={words.header.commands} keys={keys && keysText(keys, isMac)}>
        <button type="button" className={chip} onClick={() => openOverlay({ kind: 'palette' })}>
          <Search aria-hidden />
          <span className="sr-only">{words.header.commands}</span>
          <kbd aria-hidden className="hidden font-sans @4xl:inline">
            {keys && keysText(keys, isMac)}
          </kbd>
        </button>
      </Tip>
      <InboxButton />
      <TasksButton />
      {hasProject && <ModelMenu />}
      {hasProject && <SideButton />}
      <StopButton />
    </header>
  );
}

function InboxButton() {
  const words = useWords();
  const waiting = useWorkbench(waitingTotal);
  return (
    <>
      <button type="button" className={chip} onClick={() => openOverlay({ kind: 'inbox' })}>
        <InboxIcon aria-hidden />
        <span className="sr-only">{words.header.inboxCount(waiting)}</span>
        <span aria-hidden className="hidden @6xl:inline">
          {words.header.inbox}
        </span>
        <span
          aria-hidden
          className={cx(
            'tabular min-w-4 rounded-full px-1 text-center text-2xs font-semibold',
            waiting > 0 ? 'bg-warn-tint text-warn' : 'text-soft',
          )}
        >
          {waiting}
        </span>
      </button>
      <span className="sr-only" aria-live="polite">
        {waiting > 0 ? words.inbox.count(waiting) : ''}
      </span>
    </>
  );
}

function TasksButton() {
  const words = useWords();
  const { running, queued } = useWorkbench(taskCounts);
  return (
    <button type="button" className={chip} onClick={() => reveal('console')}>
      <ListTree aria-hidden />
      <span className="sr-only">{words.header.tasksCount(running, queued)}</span>
      <span aria-hidden className="hidden @6xl:inline">
        {words.header.tasks}
      </span>
      <span aria-hidden className={cx('tabular flex items-center gap-0.5', running > 0 && 'text-good')}>
        {running}
        <Play className="!size-2.5" fill="currentColor" />
      </span>
      {queued > 0 && (
        <span aria-hidden className="tabular flex items-center gap-0.5 text-warn">
          {queued}
          <Clock className="!size-2.5" />
        </span>
      )}
    </button>
  );
}

function StopButton() {
  const words = useWords();
  const client = useClient();
  const session = useSession(({ turn, id }) => (turn === null ? null : id));
  const keys = useCommandKeys('stop');
  return (
    <Tip text={words.header.stopMore} keys={keys && keysText(keys, isMac)}>
      <button
        type="button"
        disabled={session === null}
        className={cx(
          'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2.5 text-xs font-medium transition-colors [&_svg]:size-3',
          session === null ? 'text-soft opacity-50' : 'bg-bad-tint text-bad hover:brightness-125',
        )}
        onClick={() => session !== null && void valueOrToast(client.call('session.stop', { session }))}
      >
        <Square aria-hidden fill="currentColor" />
        {words.header.stop}
      </button>
    </Tip>
  );
}
