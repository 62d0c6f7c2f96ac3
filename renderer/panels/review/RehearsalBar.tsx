import { ChevronRight, CircleCheck, CircleX, FlaskConical, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import { type Rehearsal, rehearsalLine, type TriedCheck } from '../../../shared/model/rehearsal.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { FindingLine } from './FindingLine.tsx';

type Handler = (event: { readonly timeStamp: number; preventDefault(): void }) => void;

const looks = {
  asks: { Icon: FlaskConical, color: 'text-accent' },
  running: { Icon: LoaderCircle, color: 'text-soft' },
  bad: { Icon: CircleX, color: 'text-bad' },
  partly: { Icon: FlaskConical, color: 'text-warn' },
  good: { Icon: CircleCheck, color: 'text-good' },
} as const;

function lookOf({ state, checks, problem }: Rehearsal): keyof typeof looks {
  if (checks.some(({ errors }) => errors > 0)) return 'bad';
  if (state !== 'done') return state;
  return problem === undefined && checks.every((check) => check.state === 'green') ? 'good' : 'partly';
}

/** What the project's checks say of the proposal, before anything of it is written. */
export function RehearsalBar({ guarded }: { readonly guarded: (act: () => void) => Handler }) {
  const { rehearsal: w } = useWords();
  const client = useClient();
  const session = useSession(({ id }) => id);
  const rehearsal = useSession((state) => state.rehearsal);
  const [isOpen, setIsOpen] = useState(false);
  if (!rehearsal) return null;
  const { checks, findings } = rehearsal;
  const look = lookOf(rehearsal);
  const { Icon, color } = looks[look];
  const asking = checks.filter(({ state }) => state === 'asks');
  // Those of a hunk stand beside it.
  const elsewhere = findings.filter(({ place }) => !place);
  const told = checks.filter(({ why }) => why !== undefined);
  const hasMore = elsewhere.length > 0 || told.length > 0;
  const allow = (allowance: 'session' | 'always'): Handler =>
    guarded(() => void valueOrToast(client.call('change.rehearse', { session, allow: allowance })));
  return (
    <section aria-label={w.title} className="border-b border-line px-3 py-1.5 text-xs">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Icon aria-hidden className={cx('size-3.5 shrink-0', color, look === 'running' && 'animate-spin')} />
        <p role="status" className={cx('min-w-40 flex-1', look === 'bad' && 'font-medium text-bad')}>
          {look === 'asks' ? w.ask(asking.length) : rehearsalLine(rehearsal, w)}
        </p>
        {hasMore && (
          <Button look="quiet" aria-expanded={isOpen} className="h-5.5 px-1.5" onClick={() => setIsOpen(!isOpen)}>
            <ChevronRight aria-hidden className={cx('size-3.5 transition-transform', isOpen && 'rotate-90')} />
            {w.more(elsewhere.length + told.length)}
          </Button>
        )}
        {asking.length > 0 && (
          <>
            <Button look="primary" onClick={allow('session')}>
              {w.run}
            </Button>
            <Button onClick={allow('always')} title={w.alwaysMore}>
              {w.always}
            </Button>
          </>
        )}
      </div>
      {asking.length > 0 && <Commands checks={asking} />}
      {isOpen && (
        <ul className="selectable max-h-48 overflow-y-auto pt-1">
          {told.map(({ command, why }) => (
            <li key={command} className="py-0.5">
              <code className="font-mono">
                <VisibleText text={command} />
              </code>
              : {why}
            </li>
          ))}
          {elsewhere.map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may be found twice, and the list is drawn anew as a whole
            <li key={index}>
              <FindingLine finding={finding} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Commands({ checks }: { readonly checks: readonly TriedCheck[] }) {
  return (
    <ul className="flex flex-wrap gap-x-3 pt-1 pl-5.5">
      {checks.map(({ command }) => (
        <li key={command}>
          <code className="font-mono break-all">
            <VisibleText text={command} />
          </code>
        </li>
      ))}
    </ul>
  );
}
