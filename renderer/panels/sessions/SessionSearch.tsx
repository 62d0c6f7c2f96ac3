import { useState } from 'react';
import { useClient } from '../../client/client.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { openSession } from '../../commands/actions.ts';
import { inputLook } from '../../parts/Field.tsx';
import { isComposing } from '../../parts/keys.ts';
import { useFocusOnce } from '../../parts/useFocusOnce.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { groupHits, partsAround } from './searchHits.ts';

/** A typist pauses this long before the journals are read. */
const typingPauseMs = 200;

/** Full text over all sessions; one line a session, with its first places. */
export function SessionSearch({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const client = useClient();
  const sessions = useWorkbench((workbench) => workbench.sessions);
  const field = useFocusOnce<HTMLInputElement>();
  const [query, setQuery] = useState('');
  const found = useAnswer('session.search', query.trim() === '' ? null : { query }, { pauseMs: typingPauseMs });
  const groups = groupHits(found?.hits ?? []);
  const open = (id: string): void => {
    const project = sessions[id]?.project;
    if (project === undefined) return;
    void openSession(client, id, project);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="px-2 pb-1.5">
        <input
          ref={field}
          type="search"
          aria-label={words.sessions.search}
          placeholder={words.sessions.searchIn}
          value={query}
          maxLength={500}
          className={inputLook}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
            event.stopPropagation();
            onClose();
          }}
        />
      </div>
      <div aria-live="polite" className="px-3 text-xs text-soft">
        {found && groups.length === 0 && words.sessions.searchNone}
      </div>
      <ul aria-label={words.sessions.search} className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-2">
        {groups.map(({ session, title, places }) => (
          <li key={session}>
            <button
              type="button"
              onClick={() => open(session)}
              className="flex w-full flex-col gap-0.5 rounded-md px-2 py-1 text-left transition-colors hover:bg-hover"
            >
              <span className="flex w-full items-baseline gap-2">
                <span className="min-w-0 flex-1 truncate">{title || words.sessions.untitled}</span>
                {places.length > 0 && (
                  <span className="shrink-0 text-2xs text-soft">{words.sessions.hits(places.length)}</span>
                )}
              </span>
              {places.slice(0, 2).map((place, index) => (
                <span key={`${index}:${place}`} className="line-clamp-2 w-full text-2xs break-words text-soft">
                  {partsAround(place, query).map(({ text, isHit }, at) =>
                    isHit ? (
                      <mark key={`${at}:${text}`} className="rounded-sm bg-warn-tint text-ink">
                        {text}
                      </mark>
                    ) : (
                      text
                    ),
                  )}
                </span>
              ))}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
