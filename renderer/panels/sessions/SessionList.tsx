import { useVirtualizer } from '@tanstack/react-virtual';
import { Archive, Check, GitBranchPlus, ListFilter, MessageSquarePlus, Plus, Search } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useMemo, useRef, useState } from 'react';
import type { Lane } from '../../../shared/model/lane.ts';
import { useClient } from '../../client/client.ts';
import { newSession } from '../../commands/actions.ts';
import { useCommandKeys } from '../../commands/ownKeys.ts';
import { homeOfProject, homeOfSession } from '../../mirror/laneHomes.ts';
import { IconButton } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { Empty } from '../../parts/Empty.tsx';
import { isMac, keysText } from '../../parts/keys.ts';
import { menuItemLook, menuLineLook, popLook } from '../../parts/menuLook.ts';
import { PanelTitle } from '../../parts/PanelTitle.tsx';
import { useNow } from '../../parts/useNow.ts';
import { openOverlay } from '../../view/overlay.ts';
import { usePreferences } from '../../view/preferences.ts';
import { useShown } from '../../view/shown.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { laneOf, useLanes } from './lanes.ts';
import { SessionLine } from './SessionLine.tsx';
import { SessionSearch } from './SessionSearch.tsx';
import { type SessionRow, type StateFilter, sessionRows, stateFilters } from './sessionRows.ts';

export function SessionList() {
  const words = useWords();
  const client = useClient();
  const all = useWorkbench(({ sessions }) => sessions);
  const project = homeOfProject(
    all,
    useShown((shown) => shown.project),
  );
  const lanes = useLanes(project, all);
  const { pinned, allProjects: isEverywhere } = usePreferences();
  const [isSearching, setIsSearching] = useState(false);
  const [showsArchived, setShowsArchived] = useState(false);
  const [state, setState] = useState<StateFilter>('all');
  const sessions = useMemo(() => Object.values(all), [all]);
  const archived = sessions.filter((one) => one.archived && (isEverywhere || homeOfSession(one) === project));
  // Of the days alone: no zone has its midnight within a quarter of an hour.
  const nowMs = Math.floor(useNow() / 900_000) * 900_000;
  const shown = useShown(({ session }) => session);
  const rows = useMemo(
    () => sessionRows(sessions, { state, showsArchived, pinned, isEverywhere, project, shown, nowMs }),
    [sessions, state, showsArchived, pinned, isEverywhere, project, shown, nowMs],
  );
  const keys = useCommandKeys('newSession');
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
        <FilterMenu state={state} onState={setState} isEverywhere={isEverywhere} />
        {archived.length > 0 && (
          <IconButton
            label={`${words.sessions.archived} (${archived.length})`}
            aria-pressed={showsArchived}
            onClick={() => setShowsArchived(!showsArchived)}
          >
            <Archive />
          </IconButton>
        )}
        {lanes !== null && project !== null && (
          <IconButton label={words.lanes.open} onClick={() => openOverlay({ kind: 'newLane', home: project })}>
            <GitBranchPlus />
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
      ) : rows.length === 0 ? (
        <Empty icon={MessageSquarePlus} title={state === 'all' ? words.sessions.none : words.sessions.noneSo}>
          {state === 'all' && words.sessions.noneMore}
        </Empty>
      ) : (
        <Rows rows={rows} lanes={lanes ?? []} />
      )}
    </section>
  );
}

function FilterMenu({
  state,
  onState,
  isEverywhere,
}: {
  readonly state: StateFilter;
  readonly onState: (state: StateFilter) => void;
  readonly isEverywhere: boolean;
}) {
  const { sessions: w } = useWords();
  const mark = (
    <DropdownMenu.ItemIndicator className="absolute left-2">
      <Check aria-hidden />
    </DropdownMenu.ItemIndicator>
  );
  const look = cx(menuItemLook, 'relative !pl-7');
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <IconButton label={w.filter} className={cx((state !== 'all' || isEverywhere) && '!text-accent')}>
          <ListFilter />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="start" className={cx(popLook, 'w-52')}>
          <DropdownMenu.CheckboxItem
            className={look}
            checked={isEverywhere}
            onCheckedChange={(allProjects) => usePreferences.setState({ allProjects })}
          >
            {mark}
            {w.allProjects}
          </DropdownMenu.CheckboxItem>
          <div className={menuLineLook} />
          <DropdownMenu.RadioGroup value={state} onValueChange={(value) => onState(value as StateFilter)}>
            {stateFilters.map((each) => (
              <DropdownMenu.RadioItem key={each} value={each} className={look}>
                {mark}
                {w.filters[each]}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Years of sessions may be listed: only those in sight are drawn. */
function Rows({ rows, lanes }: { readonly rows: readonly SessionRow[]; readonly lanes: readonly Lane[] }) {
  const words = useWords();
  const names = useWorkbench(({ projects }) => projects);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'head' ? 26 : 43),
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : row.kind === 'head' ? `head ${row.key}` : row.session.id;
    },
    overscan: 6,
  });
  const nameOf = (project: string): string =>
    names.find(({ path }) => path === project)?.name ?? project.split(/[\\/]/).at(-1) ?? project;
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-2">
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (row?.kind === 'head')
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-posinset={index + 1}
                aria-setsize={rows.length}
                className={cx(
                  'absolute top-0 left-0 w-full truncate px-2 pt-2 pb-1 text-2xs text-soft',
                  typeof row.of !== 'string' && 'font-semibold text-ink',
                )}
                style={{ transform: `translateY(${start}px)` }}
                title={typeof row.of === 'string' ? undefined : row.of.project}
              >
                {typeof row.of === 'string' ? words.sessions.heads[row.of] : nameOf(row.of.project)}
              </li>
            );
          return (
            row && (
              <SessionLine
                key={key}
                ref={virtual.measureElement}
                session={row.session}
                lane={laneOf(lanes, row.session)}
                projectName={row.isElsewhere ? nameOf(homeOfSession(row.session)) : undefined}
                place={{ index, of: rows.length, start }}
              />
            )
          );
        })}
      </ul>
    </div>
  );
}
