import { InboxIcon, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../client/client.ts';
import { openSession } from '../../commands/actions.ts';
import { inboxEntries } from '../../mirror/selectors.ts';
import { useSessions } from '../../mirror/sessions.ts';
import { WaitingCard } from '../../parts/approval/WaitingCard.tsx';
import { Button, IconButton } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { Empty } from '../../parts/Empty.tsx';
import { closeOverlay } from '../../view/overlay.ts';
import { showReview } from '../../view/show.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { InboxHistory } from './InboxHistory.tsx';

/** Of a subagent: the session that started it. */
function Starter({ of }: { readonly of: string }) {
  const words = useWords();
  const title = useWorkbench(({ sessions }) => {
    const starter = sessions[of]?.subagentOf?.session;
    return starter === undefined ? undefined : (sessions[starter]?.title ?? '');
  });
  return title === undefined ? null : <> · {words.lanes.subagentOf(title || words.sessions.untitled)}</>;
}

/** Every question that waits, over all sessions, oldest first. */
export function Inbox() {
  const words = useWords();
  const client = useClient();
  const entries = useSessions(inboxEntries);
  const [part, setPart] = useState<'waiting' | 'history'>('waiting');
  const pane = useRef<HTMLElement>(null);
  const close = (): void => closeOverlay();
  useEffect(() => {
    const before = document.activeElement;
    // The pane takes the focus, none of its buttons does.
    pane.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <>
      <button type="button" tabIndex={-1} aria-hidden className="fixed inset-0 z-20 cursor-default" onClick={close} />
      <section
        ref={pane}
        tabIndex={-1}
        role="dialog"
        aria-label={words.inbox.title}
        onKeyDown={(event) => event.key === 'Escape' && close()}
        className="fixed top-10.5 right-2 z-20 flex max-h-[calc(100vh-5rem)] w-[min(34rem,calc(100vw-1rem))] flex-col overflow-hidden rounded-xl border border-line bg-panel shadow-pop outline-none"
      >
        <header className="flex items-center gap-2 border-b border-line px-3.5 py-2">
          <h2 className="flex-1 font-semibold">{words.inbox.title}</h2>
          <div role="group" aria-label={words.inbox.title} className="flex rounded-md border border-line p-0.5">
            {(['waiting', 'history'] as const).map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={part === each}
                onClick={() => setPart(each)}
                className={cx(
                  'h-5.5 rounded-sm px-2 text-xs',
                  part === each ? 'bg-chosen' : 'text-soft hover:text-ink',
                )}
              >
                {words.inbox[each]}
                {each === 'waiting' && entries.length > 0 && ` ${entries.length}`}
              </button>
            ))}
          </div>
          <IconButton label={words.common.close} onClick={close}>
            <X />
          </IconButton>
        </header>
        {part === 'history' ? (
          <InboxHistory
            onShow={({ project, session }) => {
              void openSession(client, session, project);
            }}
          />
        ) : entries.length === 0 ? (
          <div className="h-36">
            <Empty icon={InboxIcon} title={words.inbox.none} />
          </div>
        ) : (
          <ol className="flex min-h-0 flex-col gap-3 overflow-y-auto p-3">
            {entries.map(({ session, title, project, calls }) => {
              const goThere = (): Promise<void> => openSession(client, session, project);
              return (
                <li key={calls[0].id}>
                  <div className="mb-1 flex items-center gap-2 text-xs text-soft">
                    <span className="min-w-0 flex-1 truncate">
                      {title || words.sessions.untitled}
                      <Starter of={session} />
                    </span>
                    <Button look="quiet" className="h-5" onClick={() => void goThere()}>
                      {words.inbox.show}
                    </Button>
                  </div>
                  <WaitingCard
                    calls={calls}
                    session={session}
                    project={project}
                    onReview={() => void goThere().then(() => showReview())}
                  />
                </li>
              );
            })}
          </ol>
        )}
      </section>
    </>
  );
}
