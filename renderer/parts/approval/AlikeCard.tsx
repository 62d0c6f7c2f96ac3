import { Terminal } from 'lucide-react';
import { useState } from 'react';
import type { Call } from '../../../shared/model/call.ts';
import type { Question } from '../../../shared/model/questions.ts';
import { type Rule, ruleText } from '../../../shared/model/rule.ts';
import { useClient } from '../../client/client.ts';
import { useWords } from '../../words/words.tsx';
import { Button } from '../Button.tsx';
import { Tip } from '../Tip.tsx';
import { ApprovalCard, type ApprovalCardProps } from './ApprovalCard.tsx';
import { RawText } from './ApprovalPreview.tsx';
import { QuestionFrame, useIsPutOff } from './QuestionFrame.tsx';
import { sessionRules } from './ruleChoice.ts';
import { SharedAnswers, type SharedStep } from './SharedAnswers.tsx';
import { useAnswering } from './useAnswering.ts';

/** Commands that are alike as one question: each is shown whole, and the one answer is recorded for each. */
export function AlikeCard({ calls, ...rest }: Omit<ApprovalCardProps, 'call'> & { readonly calls: Question }) {
  const words = useWords();
  const client = useClient();
  const ids = calls.map(({ id }) => id);
  const [step, setStep] = useState<SharedStep>('choose');
  // A command that joins makes it another card: a press that was meant for fewer does not count.
  const answers = useAnswering(`${ids.join(' ')} ${useIsPutOff(ids)} ${step}`);
  const [first, ...alike] = calls;
  const rule = commonRule(calls);

  const answer = (
    decision: 'once' | 'session' | 'deny',
    more: { readonly rule?: Rule; readonly reason?: string | undefined } = {},
  ) =>
    answers.answering(() =>
      client.call('permission.answer', {
        session: rest.session,
        call: first.id,
        alike: alike.map(({ id }) => id),
        decision,
        ...more,
      }),
    );

  if (step === 'apart')
    return (
      <div className="flex flex-col gap-2">
        {calls.map((call) => (
          <ApprovalCard key={call.id} call={call} {...rest} />
        ))}
      </div>
    );
  const { intent, approval } = first;
  return (
    <QuestionFrame
      calls={ids}
      title={words.approval.alike(calls.length, /^\S*/.exec(commandOf(first))?.[0] ?? '')}
      icon={Terminal}
      isBusy={answers.busy}
      from={rest.from}
      since={approval?.askedAt ?? ''}
    >
      <ol aria-label={words.approval.commands} className="flex max-h-72 flex-col gap-1 overflow-y-auto">
        {calls.map((call) => (
          <li key={call.id}>
            <RawText text={commandOf(call)} />
          </li>
        ))}
      </ol>
      <p className="text-xs text-soft">
        {words.approval.folder}{' '}
        <code className="selectable font-mono text-2xs break-all text-ink">
          {intent?.preview.kind === 'command' ? intent.preview.cwd : ''}
        </code>
        {approval?.reasons.map((reason) => ` · ${words.said(reason)}`)}
      </p>
      <SharedAnswers
        calls={ids}
        step={step}
        onStep={setStep}
        answering={answers}
        deny={{ ask: words.approval.denyEach, act: words.approval.denyDo }}
        onDeny={(reason, event) => answer('deny', { reason })(event)}
      >
        <Button look="primary" aria-disabled={answers.inert} onClick={answer('once')}>
          {words.approval.onceAll(calls.length)}
        </Button>
        {rule && (
          <Tip
            text={
              <>
                {words.approval.sessionTitle}: <code className="font-mono break-all">{ruleText(rule)}</code>
              </>
            }
            side="top"
          >
            <Button aria-disabled={answers.inert} onClick={answer('session', { rule })}>
              {words.approval.session}
            </Button>
          </Tip>
        )}
      </SharedAnswers>
    </QuestionFrame>
  );
}

const commandOf = ({ intent }: Call): string => (intent?.preview.kind === 'command' ? intent.preview.command : '');

/** The one rule that would have allowed each of them, where there is one. */
function commonRule(calls: Question): Rule | undefined {
  const choices = calls.map(({ approval }) => (approval ? sessionRules(approval) : []));
  const [rule] = choices[0] ?? [];
  if (!rule || choices.some(({ length }) => length !== 1)) return undefined;
  return choices.every(([one]) => one && ruleText(one) === ruleText(rule)) ? rule : undefined;
}
