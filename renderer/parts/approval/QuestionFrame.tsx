import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { putOff, usePutOff } from '../../view/panelState.ts';
import { spanText } from '../../words/amounts.ts';
import { useWords } from '../../words/words.tsx';
import { cx } from '../cx.ts';
import { useNow } from '../useNow.ts';
import { PutOffLine } from './PutOffLine.tsx';

/** Whether the person has put the question about these calls off. */
export const useIsPutOff = (calls: readonly string[]): boolean =>
  usePutOff((later) => calls.every((id) => later[id] === true));

/** What every question has: its title, who asks since when, and *Later*, which leaves a line of it. */
export function QuestionFrame({
  calls,
  title,
  icon: Icon,
  isRed = false,
  isBusy,
  from,
  since,
  children,
}: {
  readonly calls: readonly string[];
  readonly title: ReactNode;
  readonly icon: LucideIcon;
  readonly isRed?: boolean;
  readonly isBusy: boolean;
  readonly from?: string | undefined;
  /** When it was asked, as an ISO date. */
  readonly since: string;
  readonly children: ReactNode;
}) {
  const { approval } = useWords();
  const titleId = useId();
  if (useIsPutOff(calls)) return <PutOffLine titleId={titleId} title={title} onAnswer={() => putOff(calls, false)} />;
  return (
    <section
      aria-labelledby={titleId}
      aria-busy={isBusy}
      className={cx('overflow-hidden rounded-lg border bg-panel', isRed ? 'border-bad-edge' : 'border-warn-edge')}
    >
      <header
        className={cx('flex items-center gap-2 px-3 py-1.5', isRed ? 'bg-bad-tint text-bad' : 'bg-warn-tint text-warn')}
      >
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <h3 id={titleId} className="min-w-0 flex-1 truncate text-sm font-semibold text-ink">
          <span className="sr-only">{approval.label}: </span>
          {title}
        </h3>
        <span className="shrink-0 text-2xs text-soft">
          {from ? `${from} · ` : ''}
          <Age since={since} />
        </span>
      </header>
      <div className="flex flex-col gap-2 px-3 pt-2.5 pb-3">{children}</div>
    </section>
  );
}

function Age({ since }: { readonly since: string }) {
  const words = useWords();
  return <span className="tabular">{words.approval.age(spanText(useNow() - Date.parse(since), words))}</span>;
}
