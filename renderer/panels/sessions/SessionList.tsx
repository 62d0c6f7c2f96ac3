import { useVirtualizer } from '@tanstack/react-virtual';
import { Archive, MessageSquarePlus, Plus, Search } from 'lucide-react';
import { useRef, useState } from 'react';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { useClient } from '../../client/client.ts';
import { newSession } from '../../commands/actions.ts';
import { commandKeys } from '../../commands/commands.ts';
import { sessionsOf } from '../../mirror/selectors.ts';
import { IconButton } from '../../parts/Button.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { isMac, keysText } from '../../parts/keys.ts';
import { PanelTitle } from '../../parts/PanelTitle.tsx';
import { useShown } from '../../view/shown.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { SessionLine } from './SessionLine.tsx';
import { SessionSearch } from './SessionSearch.tsx';

export function SessionList() {
  const words = useWords();
  const client = useClient();
  const project = useShown(({ project }) => project);
  const sessions = useWorkbench((workbench) => sessionsOf(workbench, project));
  const [isSearching, setIsSearching] = useState(false);
  const [showArchived, setShowArchived] = useState(false);
  const archived = sessions.filter((session) => session.archived);
  const shown = showArchived ? sessions : sessions.filter((session) => !session.archived);
  const keys = commandKeys('newSession');
  return (
    <section aria-label={words.sessions.title} className="flex h-full min-h-0 flex-col">
      <PanelTitle title={words.sessions.title}>
        <IconButton
          label={words.sessions.search}
          aria-pressed={isSearching}
          onClick={() => setIsSearching(!isSearching)}
        >
          <Search />
        </IconButton>
        {archived.length > 0 && (
          <IconButton
            label={`${words.sessions.archived} (${archived.length})`}
            aria-pressed={showArchived}
            onClick={() => setShowArchived(!showArchived)}
          >
            <Archive />
          </IconButton>
        )}
        <IconButton
          label={words.sessions.create}
          keys={keys ? keysText(keys, isMac) : ''}
          onClick={() => void newSession(client)}
        >
          <Plus />
        </IconButton>
      </PanelTitle>
      {isSearching ? (
        <SessionSearch onClose={() => setIsSearching(false)} />
      ) : shown.length === 0 ? (
        <Empty icon={MessageSquarePlus} title={words.sessions.none}>
          {words.sessions.noneMore}
        </Empty>
      ) : (
        <Lines sessions={shown} />
      )}
    </section>
  );
}

/** Years of sessions may be listed: only those in sight are drawn. */
function Lines({ sessions }: { readonly sessions: readonly SessionSummary[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: sessions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 43,
    getItemKey: (index) => sessions[index]?.id ?? index,
    overscan: 6,
  });
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-2">
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const session = sessions[index];
          return (
            session && (
              <SessionLine
                key={key}
                ref={virtual.measureElement}
                session={session}
                place={{ index, of: sessions.length, start }}
              />
            )
          );
        })}
      </ul>
    </div>
  );
}
