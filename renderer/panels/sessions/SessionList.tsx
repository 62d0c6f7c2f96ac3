import { Archive, MessageSquarePlus, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { newSession } from '../../app/actions.ts';
import { useClient } from '../../app/client.tsx';
import { useBench } from '../../app/useSession.ts';
import { useView } from '../../app/view.ts';
import { commandKeys } from '../../commands/commands.ts';
import { isMac, keysText } from '../../commands/keys.ts';
import { sessionsOf } from '../../mirror/selectors.ts';
import { IconButton } from '../../parts/Button.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { PanelTitle } from '../../parts/PanelTitle.tsx';
import { useWords } from '../../words/words.tsx';
import { SessionLine } from './SessionLine.tsx';
import { SessionSearch } from './SessionSearch.tsx';

export function SessionList() {
  const words = useWords();
  const client = useClient();
  const project = useView((view) => view.project);
  const sessions = useBench((bench) => sessionsOf(bench, project));
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
        <ul className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-2">
          {shown.map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </ul>
      )}
    </section>
  );
}
