import { AlertTriangle, Check, CircleSlash, Copy, FileText, Image, Info, Layers, XCircle } from 'lucide-react';
import { memo } from 'react';
import type { Call } from '../../../shared/model/call.ts';
import type { Attachment } from '../../../shared/model/event.ts';
import type { Item } from '../../../shared/model/sessionState.ts';
import { itemAt, timelineLength } from '../../../shared/model/timeline.ts';
import type { Usage } from '../../../shared/model/usage.ts';
import { costText, countText } from '../../../shared/text/amounts.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import type { Row } from '../../mirror/rows.ts';
import { WaitingCard } from '../../parts/approval/WaitingCard.tsx';
import { Button, IconButton } from '../../parts/Button.tsx';
import { copyText } from '../../parts/copyText.ts';
import { cx } from '../../parts/cx.ts';
import { LongText } from '../../parts/longText.tsx';
import { Markdown } from '../../parts/markdown/Markdown.tsx';
import { useNow } from '../../parts/useNow.ts';
import { openOverlay } from '../../view/overlay.ts';
import { openFile, showReview } from '../../view/show.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { CallCard } from './CallCard.tsx';
import { ForkButton } from './ForkButton.tsx';
import { LookedCard } from './LookedCard.tsx';
import { Reasoning } from './Reasoning.tsx';
import { RewindButton } from './RewindButton.tsx';
import { SetAside } from './SetAside.tsx';
import { WrittenCard } from './WrittenCard.tsx';

export const RowView = memo(function RowView({ row }: { readonly row: Row }) {
  switch (row.kind) {
    case 'looked':
      return <LookedCard calls={row.calls} />;
    case 'waiting':
      return <Waiting calls={row.calls} />;
    case 'written':
      return <WrittenCard changeSet={row.changeSet} calls={row.calls} />;
    case 'call':
      return row.call.state === 'waiting' ? <Waiting calls={[row.call]} /> : <CallCard call={row.call} />;
    case 'item':
      return <ItemView item={row.item} at={row.at} />;
  }
});

function Waiting({ calls }: { readonly calls: readonly Call[] }) {
  const { session, project } = useSession(({ id, project }) => ({ session: id, project }));
  return (
    <div className="py-1.5">
      <WaitingCard calls={calls} session={session} project={project} onReview={() => showReview()} />
    </div>
  );
}

function ItemView({ item, at }: { readonly item: Exclude<Item, { kind: 'call' }>; readonly at: number }) {
  const words = useWords();
  switch (item.kind) {
    case 'user':
      return (
        <div className="group flex flex-col items-end py-2 pl-10">
          <div className="flex max-w-full items-center gap-1">
            <CopyMessage text={item.text} />
            <ForkButton item={at} text={item.text} />
            <RewindButton to={{ item: at }} text={item.text} />
            <div className="selectable min-w-0 rounded-xl rounded-br-sm bg-chosen px-3 py-1.5 text-base whitespace-pre-wrap [overflow-wrap:anywhere]">
              <span className="sr-only">{words.talk.you}: </span>
              <LongText text={item.text} />
            </div>
          </div>
          {item.attachments && <Attachments attachments={item.attachments} />}
        </div>
      );
    case 'assistant':
      return (
        <div className="group relative py-1.5 text-base">
          <span className="sr-only">{words.talk.agent}: </span>
          {item.reasoning && <Reasoning text={item.reasoning} />}
          {item.text.trim() !== '' && (
            <>
              <Markdown text={item.text} />
              <CopyMessage text={item.text} className="absolute top-1 -right-3.5" />
            </>
          )}
        </div>
      );
    case 'system':
      return (
        <p className="selectable py-1 pl-2 text-xs whitespace-pre-wrap text-soft italic">
          <span className="sr-only">{words.talk.system}: </span>
          {words.said(item.text)}
        </p>
      );
    case 'phase':
      return (
        <div className="flex items-center gap-2 py-2 text-2xs text-soft" title={item.cause}>
          <span aria-hidden className="h-px flex-1 bg-line" />
          <Layers aria-hidden className="size-3" />
          <span className="sr-only">{words.phase.strip}: </span>
          {words.phase[item.to]}
          <span aria-hidden className="h-px flex-1 bg-line" />
        </div>
      );
    case 'notice':
      return <Notice item={item} />;
    case 'end':
      return <End item={item} at={at} />;
  }
}

function CopyMessage({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  const words = useWords();
  return (
    <IconButton
      label={words.talk.copyMessage}
      className={cx('opacity-0 transition-opacity group-hover:opacity-100 focus-visible:opacity-100', className)}
      onClick={() => void copyText(text, words)}
    >
      <Copy />
    </IconButton>
  );
}

function Attachments({ attachments }: { readonly attachments: readonly Attachment[] }) {
  const words = useWords();
  return (
    <ul className="mt-1 flex flex-wrap justify-end gap-1">
      {attachments.map((attachment, index) => (
        <li
          key={`${index}:${attachment.kind}`}
          className="flex items-center gap-1 rounded-md border border-line px-1.5 py-0.5 text-2xs text-soft [&_svg]:size-3"
        >
          {attachment.kind === 'image' ? <Image aria-hidden /> : <FileText aria-hidden />}
          {'path' in attachment ? (
            <button
              type="button"
              className="hover:text-accent"
              onClick={() =>
                openFile(
                  attachment.path,
                  attachment.line === undefined ? undefined : { line: attachment.line, column: 1 },
                )
              }
            >
              {attachment.path}
              {attachment.line !== undefined && `:${attachment.line}`}
              {attachment.endLine !== undefined && `-${attachment.endLine}`}
            </button>
          ) : attachment.kind === 'text' ? (
            attachment.title
          ) : (
            (attachment.name ?? words.composer.image)
          )}
        </li>
      ))}
    </ul>
  );
}

const noticeLooks = {
  info: { icon: Info, look: 'border-line text-soft' },
  warning: { icon: AlertTriangle, look: 'border-warn-edge bg-warn-tint text-warn' },
  error: { icon: XCircle, look: 'border-bad-edge bg-bad-tint text-bad' },
} as const;

function Notice({ item }: { readonly item: Item & { kind: 'notice' } }) {
  const { said } = useWords();
  const { icon: Icon, look } = noticeLooks[item.level];
  // One stands at each call: told, and out of the way.
  if (item.code === 'hook' && item.level === 'info')
    return (
      <p className="selectable truncate py-0.5 pl-2 text-2xs text-soft" title={said(item.text)}>
        {said(item.text)}
      </p>
    );
  return (
    <div
      role={item.level === 'error' ? 'alert' : 'status'}
      className={cx('my-1 flex items-start gap-2 rounded-md border px-3 py-1.5 text-xs', look)}
    >
      <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span className="selectable min-w-0 flex-1 break-words">{said(item.text)}</span>
      {item.paths?.map((path) => (
        <SetAside key={path} path={path} />
      ))}
      {item.until && <Countdown until={item.until} />}
    </div>
  );
}

function Countdown({ until }: { readonly until: string }) {
  const { talk } = useWords();
  const left = Math.ceil((Date.parse(until) - useNow()) / 1000);
  return left > 0 ? <span className="tabular shrink-0 font-medium">{talk.waitLeft(left)}</span> : null;
}

const endIcons = {
  done: Check,
  answered: Check,
  incomplete: CircleSlash,
  blocked: CircleSlash,
  failed: XCircle,
  cancelled: CircleSlash,
} as const;

function End({ item, at }: { readonly item: Item & { kind: 'end' }; readonly at: number }) {
  const words = useWords();
  const client = useClient();
  const { session, provider } = useSession((state) => ({ session: state.id, provider: state.provider }));
  // Only the newest end can be gone on from.
  const canContinue = useSession(
    ({ items, turn }) => turn === null && itemAt(items, timelineLength(items) - 1) === item,
  );
  const Icon = endIcons[item.outcome];
  const isBad = item.outcome === 'failed';
  const details = item.error ? [words.said(item.error.message)] : item.open;
  if (!details)
    return (
      <div className={cx('group flex items-center gap-1.5 pb-2 text-2xs', isBad ? 'text-bad' : 'text-soft')}>
        <Icon aria-hidden className={cx('size-3', item.outcome === 'done' && 'text-good')} />
        <p>
          {words.talk[item.outcome]}
          {item.usage && item.usage.input > 0 && <span className="tabular"> · {spentText(item.usage, words)}</span>}
        </p>
        <ForkButton item={at + 1} />
        <RewindButton to={{ item: at + 1 }} />
      </div>
    );
  return (
    <div
      role="alert"
      className={cx(
        'my-1.5 flex items-start gap-2 rounded-md border px-3 py-2 text-xs',
        isBad ? 'border-bad-edge bg-bad-tint text-bad' : 'border-line text-soft',
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <p className="selectable min-w-0 flex-1 break-words">
        <span className="font-semibold">{words.talk[item.outcome]}</span> · {details.join(' · ')}
      </p>
      {item.error?.code === 'PROVIDER_AUTH' && (
        <Button onClick={() => openOverlay({ kind: 'settings', section: 'providers', edit: provider })}>
          {words.keys.edit}
        </Button>
      )}
      {canContinue && (
        <Button onClick={() => void valueOrToast(client.call('session.continue', { session }))}>
          {words.talk.carryOn}
        </Button>
      )}
    </div>
  );
}

/** What a turn took and cost; the price is left out where nobody knows it. */
function spentText({ input, cached, output, cost }: Usage, { spend }: Words): string {
  const tokens = spend.line(countText(input), countText(cached), countText(output));
  return cost === undefined ? tokens : `${tokens} · ${costText(cost)}`;
}
