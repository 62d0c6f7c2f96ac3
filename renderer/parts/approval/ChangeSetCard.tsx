import { FileDiff } from 'lucide-react';
import { useState } from 'react';
import type { Call } from '../../../shared/model/call.ts';
import { useClient } from '../../client/client.ts';
import { changesOf, lineTotals } from '../../mirror/selectors.ts';
import { useWords } from '../../words/words.tsx';
import { Button } from '../Button.tsx';
import { Lines } from '../Lines.tsx';
import { PathText } from '../PathText.tsx';
import { ApprovalCard, type ApprovalCardProps } from './ApprovalCard.tsx';
import { QuestionFrame, useIsPutOff } from './QuestionFrame.tsx';
import { SharedAnswers, type SharedStep } from './SharedAnswers.tsx';
import { useAnswering } from './useAnswering.ts';

/** The edits of one reply as one question: one answer writes all of them or none. */
export function ChangeSetCard({
  calls,
  onReview,
  ...rest
}: Omit<ApprovalCardProps, 'call'> & { readonly calls: readonly Call[] }) {
  const words = useWords();
  const client = useClient();
  const ids = calls.map(({ id }) => id);
  const [step, setStep] = useState<SharedStep>('choose');
  const answers = useAnswering(`${ids.join(' ')} ${useIsPutOff(ids)} ${step}`);
  const files = filesOf(calls);

  const answer = (decision: 'once' | 'deny', reason?: string) =>
    answers.answering(() =>
      client.call('change.answer', {
        session: rest.session,
        answers: ids.map((call) => ({ call, decision, reason })),
      }),
    );

  if (step === 'apart')
    return (
      <div className="flex flex-col gap-2">
        {calls.map((call) => (
          <ApprovalCard key={call.id} call={call} onReview={onReview} {...rest} />
        ))}
      </div>
    );
  return (
    <QuestionFrame
      calls={ids}
      title={words.approval.changeSet(calls.length, files.length)}
      icon={FileDiff}
      isBusy={answers.busy}
      from={rest.from}
      since={calls[0]?.approval?.askedAt ?? ''}
    >
      <ul className="max-h-48 overflow-y-auto rounded-md border border-line bg-inset py-0.5 font-mono text-xs">
        {files.map(({ path, edits, protectedBy, additions, deletions }) => (
          <li key={path} className="flex items-center gap-2 px-2.5 py-0.5">
            <PathText path={path} className="flex-1" />
            {protectedBy && <span className="shrink-0 font-sans text-2xs text-warn">{protectedBy}</span>}
            {edits > 1 && <span className="shrink-0 font-sans text-2xs text-soft">{words.approval.edits(edits)}</span>}
            <Lines additions={additions} deletions={deletions} />
          </li>
        ))}
      </ul>
      <SharedAnswers
        calls={ids}
        step={step}
        onStep={setStep}
        answering={answers}
        deny={{ ask: words.approval.rejectAll, act: words.approval.rejectDo }}
        onDeny={(reason, event) => answer('deny', reason)(event)}
      >
        {onReview && (
          <Button look="primary" onClick={onReview}>
            {words.approval.review}
          </Button>
        )}
        <Button look={onReview ? 'plain' : 'primary'} aria-disabled={answers.inert} onClick={answer('once')}>
          {words.approval.applyAll}
        </Button>
      </SharedAnswers>
    </QuestionFrame>
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
