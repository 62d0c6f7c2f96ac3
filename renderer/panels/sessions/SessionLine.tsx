import {
  Archive,
  ArchiveRestore,
  Bot,
  ClipboardCopy,
  FileHeart,
  GitBranch,
  House,
  MoreHorizontal,
  Pencil,
  Pin,
  PinOff,
  Play,
  Trash2,
} from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type Ref, useState } from 'react';
import type { Lane } from '../../../shared/model/lane.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { copyReadable, openSession, setArchived } from '../../commands/actions.ts';
import { bringHome } from '../../commands/laneActions.ts';
import { Age } from '../../parts/Age.tsx';
import { Button } from '../../parts/Button.tsx';
import { copyText } from '../../parts/copyText.ts';
import { cx } from '../../parts/cx.ts';
import { isComposing } from '../../parts/keys.ts';
import { Modal } from '../../parts/Modal.tsx';
import { menuItemLook, menuLineLook, popLook } from '../../parts/menuLook.ts';
import { useFocusOnce } from '../../parts/useFocusOnce.ts';
import { openOverlay } from '../../view/overlay.ts';
import { togglePinned, usePreferences } from '../../view/preferences.ts';
import { showSession } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import { useWords, type Words } from '../../words/words.tsx';

function stateOf(session: SessionSummary, { sessions }: Words): { readonly word: string; readonly dot: string } {
  if (session.broken) return { word: sessions.broken, dot: 'bg-bad' };
  if (session.state === 'waiting') return { word: sessions.waits, dot: 'bg-warn' };
  if (session.state === 'running') return { word: sessions.runs, dot: 'bg-accent pulse' };
  if (session.lastOutcome === 'failed') return { word: sessions.failed, dot: 'bg-bad' };
  if (session.lastOutcome !== null) return { word: sessions.done, dot: 'border border-soft' };
  return { word: sessions.idle, dot: 'border border-soft/50' };
}

export interface SessionLineProps {
  readonly session: SessionSummary;
  /** Of a session in one. */
  readonly lane: Lane | undefined;
  /** Where no head of the list tells it. */
  readonly projectName: string | undefined;
  /** Where it stands in the list: the list measures it, and draws only what is in sight. */
  readonly place: { readonly index: number; readonly of: number; readonly start: number };
  readonly ref: Ref<HTMLLIElement>;
}

export function SessionLine({ session, lane, projectName, place, ref }: SessionLineProps) {
  const words = useWords();
  const client = useClient();
  const chosen = useShown((shown) => shown.session === session.id);
  const [doing, setDoing] = useState<'rename' | 'delete' | null>(null);
  const title = session.title || words.sessions.untitled;
  const { word, dot } = stateOf(session, words);

  const item = {
    ref,
    'data-index': place.index,
    'aria-posinset': place.index + 1,
    'aria-setsize': place.of,
    style: { transform: `translateY(${place.start}px)` },
  };
  if (doing === 'rename')
    return (
      <li {...item} className="absolute top-0 left-0 w-full">
        <RenameField
          title={session.title}
          onDone={(renamed) => {
            setDoing(null);
            if (renamed && renamed !== session.title)
              void valueOrToast(client.call('session.rename', { session: session.id, title: renamed }));
          }}
        />
      </li>
    );
  return (
    <li {...item} className="group absolute top-0 left-0 w-full">
      <button
        type="button"
        aria-current={chosen}
        onClick={() => void openSession(client, session.id, session.project)}
        onDoubleClick={() => setDoing('rename')}
        className={cx(
          'flex w-full items-start gap-2 rounded-md py-1 pr-7 pl-2 text-left transition-colors hover:bg-hover',
          chosen && 'bg-chosen hover:bg-chosen',
          session.archived && 'opacity-70',
          session.subagentOf && 'pl-6',
        )}
      >
        <span aria-hidden className={cx('mt-1.5 size-2 shrink-0 rounded-full', dot)} />
        <span className="min-w-0 flex-1">
          <span title={title} className="line-clamp-2 break-words">
            {title}
          </span>
          {/* One line of whole pieces: what has no room goes to a second one that is not shown. */}
          <span className="flex h-[1lh] flex-wrap gap-x-1 overflow-hidden text-2xs text-soft">
            {session.subagentOf && (
              <Bot aria-label={words.lanes.subagent} role="img" className="size-3 shrink-0 text-accent" />
            )}
            <span className={cx(session.state === 'waiting' && 'text-warn')}>
              {session.state === 'waiting' ? `${word} (${session.waiting})` : word}
            </span>
            <span>
              <span aria-hidden>· </span>
              <Age at={session.updatedAt} />
            </span>
            {projectName !== undefined && <span className="truncate">· {projectName}</span>}
            {session.tasks.running > 0 && (
              <span className="flex items-center gap-0.5 text-good">
                · {session.tasks.running}
                <Play aria-hidden className="size-2" fill="currentColor" />
              </span>
            )}
          </span>
          {session.lane && (
            <span className="flex items-center gap-1 text-2xs text-soft" title={session.lane.branch}>
              <GitBranch aria-label={words.lanes.lane} role="img" className="size-2.5 shrink-0 text-accent" />
              <span className="truncate">{session.lane.branch}</span>
              {lane && lane.additions + lane.deletions > 0 && (
                <span className="shrink-0">
                  <span className="text-good">+{lane.additions}</span>{' '}
                  <span className="text-bad">−{lane.deletions}</span>
                </span>
              )}
            </span>
          )}
        </span>
      </button>
      <SessionMenu session={session} lane={lane} title={title} onDo={setDoing} />
      {doing === 'delete' && <DeleteDialog session={session.id} title={title} onClose={() => setDoing(null)} />}
    </li>
  );
}

function SessionMenu({
  session,
  lane,
  title,
  onDo,
}: Pick<SessionLineProps, 'session' | 'lane'> & {
  readonly title: string;
  readonly onDo: (what: 'rename' | 'delete') => void;
}) {
  const words = useWords();
  const client = useClient();
  const isPinned = usePreferences(({ pinned }) => pinned.includes(session.id));
  const exportIt = async (): Promise<void> => {
    const exported = await valueOrToast(client.call('session.export', { session: session.id, format: 'markdown' }));
    if (exported) await copyText(exported.text, words);
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          aria-label={`${words.sessions.menu}: ${title}`}
          className="absolute top-1 right-0.5 grid size-6 place-items-center rounded-sm text-soft opacity-0 group-hover:opacity-100 hover:bg-hover hover:text-ink focus-visible:opacity-100 data-[state=open]:opacity-100"
        >
          <MoreHorizontal aria-hidden className="size-3.5" />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="start" className={cx(popLook, 'w-52')}>
          <DropdownMenu.Item className={menuItemLook} onSelect={() => togglePinned(session.id)}>
            {isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
            {isPinned ? words.sessions.unpin : words.sessions.pin}
          </DropdownMenu.Item>
          {session.broken === undefined ? (
            <>
              <DropdownMenu.Item className={menuItemLook} onSelect={() => setTimeout(() => onDo('rename'))}>
                <Pencil aria-hidden />
                {words.sessions.rename}
              </DropdownMenu.Item>
              <DropdownMenu.Item
                className={menuItemLook}
                onSelect={() => void setArchived(client, words, session.id, !session.archived)}
              >
                {session.archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
                {session.archived ? words.sessions.unarchive : words.sessions.archive}
              </DropdownMenu.Item>
              <DropdownMenu.Item className={menuItemLook} onSelect={() => void exportIt()}>
                <ClipboardCopy aria-hidden />
                {words.sessions.export}
              </DropdownMenu.Item>
            </>
          ) : (
            // The rest would have to open it.
            <DropdownMenu.Item className={menuItemLook} onSelect={() => void copyReadable(client, session.id)}>
              <FileHeart aria-hidden />
              {words.sessions.copyReadable}
            </DropdownMenu.Item>
          )}
          {lane && <LaneItems lane={lane} />}
          <div className={menuLineLook} />
          <DropdownMenu.Item className={cx(menuItemLook, 'text-bad')} onSelect={() => onDo('delete')}>
            <Trash2 aria-hidden className="!text-bad" />
            {words.sessions.remove}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** What can be done with the lane of a session; of a closed one, its commits are let go. */
function LaneItems({ lane: { home, name, state, commits } }: { readonly lane: Lane }) {
  const words = useWords();
  const client = useClient();
  const isClosed = state === 'closed';
  return (
    <>
      <div className={menuLineLook} />
      {!isClosed && (
        <DropdownMenu.Item className={menuItemLook} onSelect={() => void bringHome(client, words, { home, name })}>
          <House aria-hidden />
          {words.lanes.bringHome}
        </DropdownMenu.Item>
      )}
      <DropdownMenu.Item
        className={menuItemLook}
        onSelect={() => openOverlay({ kind: 'closeLane', home, name, kept: isClosed ? commits : 0 })}
      >
        <GitBranch aria-hidden />
        {isClosed ? words.lanes.letGoOpen : words.lanes.closeOpen}
      </DropdownMenu.Item>
    </>
  );
}

function DeleteDialog({
  session,
  title,
  onClose,
}: {
  readonly session: string;
  readonly title: string;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const client = useClient();
  const remove = (): void => {
    onClose();
    if (useShown.getState().session === session) showSession(null);
    void valueOrToast(client.call('session.delete', { session }));
  };
  return (
    <Modal
      title={words.sessions.removeTitle}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button look="danger" onClick={remove}>
            {words.sessions.removeDo}
          </Button>
        </>
      }
    >
      <p className="text-soft">{words.sessions.removeBody(title)}</p>
    </Modal>
  );
}

function RenameField({
  title,
  onDone,
}: {
  readonly title: string;
  readonly onDone: (title: string | undefined) => void;
}) {
  const words = useWords();
  const [text, setText] = useState(title);
  const field = useFocusOnce<HTMLInputElement>();
  return (
    <input
      ref={field}
      aria-label={words.sessions.rename}
      maxLength={200}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onDone(text.trim())}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === 'Enter') onDone(text.trim());
        if (event.key === 'Escape') onDone(undefined);
      }}
      className="my-0.5 w-full rounded-md border border-accent bg-inset px-2 py-1 outline-none"
    />
  );
}
