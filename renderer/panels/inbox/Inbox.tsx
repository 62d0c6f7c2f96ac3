import { InboxIcon, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { setView, showProject, showReview, showSession } from '../../app/view.ts';
import { inboxEntries } from '../../mirror/selectors.ts';
import { useSessions } from '../../mirror/sessions.ts';
import { ApprovalCard } from '../../parts/approval/ApprovalCard.tsx';
import { Button, IconButton } from '../../parts/Button.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { useWords } from '../../words/words.tsx';

/** Every question that waits, over all sessions, oldest first. */
export function Inbox() {
  const words = useWords();
  const entries = useSessions(inboxEntries);
  const pane = useRef<HTMLElement>(null);
  const close = (): void => setView({ inbox: false });
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
          {entries.length > 0 && <span className="text-xs text-soft">{words.inbox.count(entries.length)}</span>}
          <IconButton label={words.common.close} onClick={close}>
            <X />
          </IconButton>
        </header>
        {entries.length === 0 ? (
          <div className="h-36">
            <Empty icon={InboxIcon} title={words.inbox.none} />
          </div>
        ) : (
          <ol className="flex min-h-0 flex-col gap-3 overflow-y-auto p-3">
            {entries.map(({ session, title, project, call }) => {
              const goThere = (): void => {
                showProject(project);
                showSession(session);
              };
              return (
                <li key={call.id}>
                  <div className="mb-1 flex items-center gap-2 text-xs text-soft">
                    <span className="min-w-0 flex-1 truncate">{title || words.sessions.untitled}</span>
                    <Button look="quiet" className="h-5" onClick={goThere}>
                      {words.inbox.show}
                    </Button>
                  </div>
                  <ApprovalCard
                    call={call}
                    session={session}
                    project={project}
                    onReview={() => {
                      goThere();
                      showReview();
                    }}
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
