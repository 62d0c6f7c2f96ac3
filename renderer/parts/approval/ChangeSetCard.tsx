import { FileDiff } from 'lucide-react';
import { useId, useState } from 'react';
import type { Call } from '../../../shared/model/call.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { changesOf, lineTotals } from '../../mirror/selectors.ts';
import { putOff, usePutOff } from '../../view/panelState.ts';
import { spanText } from '../../words/amounts.ts';
import { useWords } from '../../words/words.tsx';
import { Button } from '../Button.tsx';
import { Lines } from '../Lines.tsx';
import { PathText } from '../PathText.tsx';
import { useNow } from '../useNow.ts';
import { ApprovalCard, type ApprovalCardProps } from './ApprovalCard.tsx';
import { PutOffLine } from './PutOffLine.tsx';
import { useGuard } from './useGuard.ts';

/** The edits of one reply as one question: one answer writes all of them or none. */
export function ChangeSetCard({
  calls,
  session,
  project,
  onReview,
}: Omit<ApprovalCardProps, 'call'> & { readonly calls: readonly Call[] }) {
  const words = useWords();
  const client = useClient();
  const titleId = useId();
  const key = calls.map(({ id }) => id).join(' ');
  const isLater = usePutOff((later) => calls.every(({ id }) => later[id] === true));
  const [step, setStep] = useState<'choose' | 'deny' | 'apart'>('choose');
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const { settled, guarded } = useGuard(`${key} ${isLater} ${step}`);
  const files = filesOf(calls);
  const title = words.approval.changeSet(calls.length, files.length);
  const inert = !settled || busy;

  const answer = (decision: 'once' | 'deny'): void => {
    setBusy(true);
    const said = decision === 'deny' && reason.trim() !== '' ? { reason: reason.trim() } : {};
    const answers = calls.map(({ id }) => ({ call: id, decision, ...said }));
    void valueOrToast(client.call('change.answer', { session, answers })).then(() => setBusy(false));
  };

  if (step === 'apart')
    return (
      <div className="flex flex-col gap-2">
        {calls.map((call) => (
          <ApprovalCard
            key={call.id}
            call={call}
            session={session}
            project={project}
            {...(onReview ? { onReview } : {})}
          />
        ))}
      </div>
    );
  if (isLater)
    return (
      <PutOffLine
        titleId={titleId}
        title={title}
        onAnswer={() =>
          putOff(
            calls.map(({ id }) => id),
            false,
          )
        }
      />
    );
  return (
    <section
      aria-labelledby={titleId}
      aria-busy={busy}
      className="overflow-hidden rounded-lg border border-warn-edge bg-panel"
    >
      <header className="flex items-center gap-2 bg-warn-tint px-3 py-1.5 text-warn">
        <FileDiff aria-hidden className="size-3.5 shrink-0" />
        <h3 id={titleId} className="min-w-0 flex-1 truncate text-sm font-semibold text-ink">
          <span className="sr-only">{words.approval.label}: </span>
          {title}
        </h3>
        <Age since={calls[0]?.approval?.askedAt ?? ''} />
      </header>
      <div className="flex flex-col gap-2 px-3 pt-2.5 pb-3">
        <ul className="max-h-48 overflow-y-auto rounded-md border border-line bg-inset py-0.5 font-mono text-xs">
          {files.map(({ path, edits, protectedBy, additions, deletions }) => (
            <li key={path} className="flex items-center gap-2 px-2.5 py-0.5">
              <PathText path={path} className="flex-1" />
              {protectedBy && <span className="shrink-0 font-sans text-2xs text-warn">{protectedBy}</span>}
              {edits > 1 && (
                <span className="shrink-0 font-sans text-2xs text-soft">{words.approval.edits(edits)}</span>
              )}
              <Lines additions={additions} deletions={deletions} />
            </li>
          ))}
        </ul>
        {step === 'deny' && (
          <textarea
            aria-label={words.approval.reasonPlaceholder}
            placeholder={words.approval.reasonPlaceholder}
            className="field-sizing-content max-h-40 min-h-14 w-full resize-none rounded-md border border-edge/70 bg-inset px-2.5 py-1.5"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
        {step === 'choose' ? (
          <div className="flex flex-wrap items-center gap-1.5">
            {onReview && (
              <Button look="primary" onClick={onReview}>
                {words.approval.review}
              </Button>
            )}
            <Button
              look={onReview ? 'plain' : 'primary'}
              aria-disabled={inert}
              onClick={guarded(() => !busy && answer('once'))}
            >
              {words.approval.applyAll}
            </Button>
            <Button aria-disabled={inert} onClick={guarded(() => setStep('deny'))}>
              {words.approval.rejectAll}
            </Button>
            <Button look="quiet" onClick={() => setStep('apart')}>
              {words.approval.apart}
            </Button>
            <Button
              look="quiet"
              className="ml-auto"
              onClick={() =>
                putOff(
                  calls.map(({ id }) => id),
                  true,
                )
              }
            >
              {words.approval.later}
            </Button>
          </div>
        ) : (
          <div className="flex gap-1.5">
            <Button look="danger" aria-disabled={inert} onClick={guarded(() => !busy && answer('deny'))}>
              {words.approval.rejectDo}
            </Button>
            <Button look="quiet" onClick={() => setStep('choose')}>
              {words.common.back}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

/** The files of all edits, each once. */
function filesOf(calls: readonly Call[]) {
  return [...Map.groupBy(calls.flatMap(changesOf), ({ path }) => path)].map(([path, changes]) => ({
    path,
    edits: changes.length,
    protectedBy: changes.find(({ protectedBy }) => protectedBy !== undefined)?.protectedBy,
    ...lineTotals(changes),
  }));
}

function Age({ since }: { readonly since: string }) {
  const words = useWords();
  return (
    <span className="tabular shrink-0 text-2xs text-soft">
      {words.approval.age(spanText(useNow() - Date.parse(since), words))}
    </span>
  );
}
