import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, Unplug } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useClient, valueOrToast } from '../../client/client.ts';
import { type Row, rowsOf } from '../../mirror/rows.ts';
import { useSessions } from '../../mirror/sessions.ts';
import { Button } from '../../parts/Button.tsx';
import { useConversationState } from '../../view/panelState.ts';
import { useShown } from '../../view/shown.ts';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { ConversationStart } from './ConversationStart.tsx';
import { FailedSession } from './FailedSession.tsx';
import { FindTalk, type Sought } from './FindTalk.tsx';
import { Live } from './Live.tsx';
import { bringIntoSight, markFound } from './markFound.ts';
import { RowView } from './RowView.tsx';
import { useStayAtEnd } from './useStayAtEnd.ts';

type Line =
  | Row
  | { readonly kind: 'live'; readonly key: string }
  | { readonly kind: 'interrupted'; readonly key: string };

/** What stands below the rows: the turn that runs, or the word that one was interrupted. */
function lastLine(turn: string | null, interrupted: string | null): Line | null {
  if (turn !== null) return { kind: 'live', key: `live ${turn}` };
  return interrupted === null ? null : { kind: 'interrupted', key: `interrupted ${interrupted}` };
}

/** A row of which no more than this is in sight is above what is read: a line, and the space around it. */
const lastLinePx = 48;

/** The conversation. Only what is on screen is drawn; at its end it stays at its end while text streams. */
export function Conversation() {
  const words = useWords();
  const session = useShown(({ session }) => session);
  const failed = useSessions((mirror) => (session === null ? undefined : mirror.failed[session]));
  const isDamaged = useWorkbench(({ sessions }) => session !== null && sessions[session]?.broken !== undefined);
  const known = useSessions((mirror) => session !== null && mirror.watched[session] !== undefined);
  const items = useSession((state) => state.items);
  const turn = useSession((state) => state.turn?.id ?? null);
  const rows = rowsOf(items);
  const interrupted = useSession((state) => state.interrupted);
  const last = lastLine(turn, interrupted);
  const lines: readonly Line[] = last === null ? rows : [...rows, last];

  const isDrawn = known && failed === undefined && lines.length > 0;
  const scroller = useRef<HTMLDivElement>(null);
  // Away from the end, the line on top stays where it is while older ones come before it, as those of a long session do after
  // its newest: only the virtualizer can do that before rows of another place are drawn and measured.
  const anchor = useRef<'start' | 'end'>('start');
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 44,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 8,
    anchorTo: anchor.current,
    paddingStart: 12,
    paddingEnd: 16,
  });
  const { atEnd, onScroll, leaveEnd, toEnd } = useStayAtEnd(scroller, virtual.getTotalSize(), isDrawn ? session : null);
  // At its end it is kept there: a row that finds its height moves nothing by itself, which would look like the person's wish.
  // Elsewhere one that does so above what is read moves nothing that is read, also where its last line is in sight.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = atEnd
    ? () => false
    : (row, _by, { scrollOffset }) => row.end <= (scrollOffset ?? 0) + lastLinePx;
  anchor.current = atEnd ? 'start' : 'end';
  const isFinding = useConversationState(({ isFinding }) => isFinding);
  const [sought, setSought] = useState<Sought | null>(null);
  const broughtFor = useRef<Sought | null>(null);
  // What is on screen is drawn anew with each scroll, and with it the marks. Rows find their height when they are drawn: what
  // was sought is brought nearer until it is in sight, and then left alone.
  useEffect(() => {
    const place = scroller.current;
    const found = markFound(place, isFinding ? sought : null);
    if (!place || !isFinding || sought === null || sought.current < 0 || broughtFor.current === sought) return;
    const row = place.querySelector('[data-found]');
    if (!row) place.scrollTop = virtual.getOffsetForIndex(sought.current, 'center')?.[0] ?? place.scrollTop;
    else if (bringIntoSight(place, found ?? row)) broughtFor.current = sought;
  });

  if (session !== null && failed) return <FailedSession session={session} why={failed} isDamaged={isDamaged} />;
  if (session !== null && !known) return <Skeleton />;
  if (lines.length === 0) return <ConversationStart />;
  return (
    <div className="relative min-h-0 flex-1">
      {isFinding && (
        <FindTalk
          rows={rows}
          onSought={setSought}
          onShow={leaveEnd}
          onClose={() => {
            useConversationState.setState({ isFinding: false });
            scroller.current?.focus();
          }}
        />
      )}
      <div
        ref={scroller}
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys too
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={(event) => {
          if (event.key !== 'Home' || event.target !== event.currentTarget) return;
          // Rows that find their height on the way would move the start away from the browser's own jump.
          event.preventDefault();
          leaveEnd();
          virtual.scrollToOffset(0);
        }}
        aria-label={words.talk.label}
        className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <div className="relative mx-auto w-full max-w-[52rem]" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const line = lines[index];
            return (
              line && (
                <div
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  data-found={isFinding && sought?.current === index ? '' : undefined}
                  className="absolute top-0 left-0 w-full px-4"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <LineView line={line} />
                </div>
              )
            );
          })}
        </div>
      </div>
      {!atEnd && <ToEnd onClick={toEnd} />}
    </div>
  );
}

function ToEnd({ onClick }: { readonly onClick: () => void }) {
  const words = useWords();
  return (
    <Button className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-pop" onClick={onClick}>
      <ArrowDown aria-hidden className="size-3.5" />
      {words.talk.toEnd}
    </Button>
  );
}

function LineView({ line }: { readonly line: Line }) {
  if (line.kind === 'live') return <Live />;
  if (line.kind === 'interrupted') return <Interrupted />;
  return <RowView row={line} />;
}

/** The engine went away in the middle of the turn; nothing is lost and it can go on. */
function Interrupted() {
  const words = useWords();
  const client = useClient();
  const session = useSession(({ id }) => id);
  return (
    <div
      role="status"
      className="my-1.5 flex items-center gap-2 rounded-md border border-warn-edge bg-warn-tint px-3 py-1.5 text-xs text-warn"
    >
      <Unplug aria-hidden className="size-3.5 shrink-0" />
      <p className="min-w-0 flex-1">{words.talk.interrupted}</p>
      <Button onClick={() => void valueOrToast(client.call('session.continue', { session }))}>
        {words.talk.carryOn}
      </Button>
    </div>
  );
}

function Skeleton() {
  return (
    <div aria-hidden className="flex flex-1 flex-col gap-3 p-4">
      <div className="skeleton h-9 w-2/3 self-end" />
      <div className="skeleton h-4 w-5/6" />
      <div className="skeleton h-4 w-3/4" />
      <div className="skeleton h-7 w-full" />
    </div>
  );
}
