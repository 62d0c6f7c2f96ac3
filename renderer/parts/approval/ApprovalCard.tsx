import { AlertTriangle, FileDiff, HelpCircle, ShieldQuestion, Terminal } from 'lucide-react';
import { useState } from 'react';
import type { Approval, Call, Decision } from '../../../shared/model/call.ts';
import { type Rule, ruleText } from '../../../shared/model/rule.ts';
import { useClient } from '../../client/client.ts';
import { dropAnswerDraft } from '../../view/answerDrafts.ts';
import { putOff } from '../../view/panelState.ts';
import { useWords } from '../../words/words.tsx';
import { Button } from '../Button.tsx';
import { Tip } from '../Tip.tsx';
import { VisibleText } from '../VisibleText.tsx';
import { ApprovalPreview, ApprovalTargets } from './ApprovalPreview.tsx';
import { DenyStep } from './DenyStep.tsx';
import { QuestionFrame, useIsPutOff } from './QuestionFrame.tsx';
import { QuestionReply } from './QuestionReply.tsx';
import { RulePicker } from './RulePicker.tsx';
import { sessionRules, standingRules } from './ruleChoice.ts';
import { type Answering, useAnswering } from './useAnswering.ts';

export interface ApprovalCardProps {
  readonly call: Call;
  readonly session: string;
  readonly project: string;
  /** Who asks, where it is not plain from the place of the card. */
  readonly from?: string | undefined;
  readonly onReview?: (() => void) | undefined;
}

const icons = {
  command: Terminal,
  changes: FileDiff,
  question: HelpCircle,
  text: ShieldQuestion,
  none: ShieldQuestion,
};

/** It deletes, fetches, or only *Once* may let it: the answer is no matter of course, so no button stands out. */
const isGrave = ({ effects, rememberable, severe }: Approval): boolean =>
  severe || (effects !== undefined && (!rememberable || effects.deletes.length > 0 || effects.downloads.length > 0));

type Step = 'choose' | 'deny' | 'always';
/** The handler of a button that gives this answer. */
type AnswerWith = (
  decision: Decision,
  more?: { readonly rule?: Rule; readonly reason?: string | undefined; readonly answer?: string },
) => ReturnType<Answering['answering']>;

/** A question to the person, where it arose. Nothing in it has the focus by itself, and nothing counts too early. */
export function ApprovalCard({ call, session, project, from, onReview }: ApprovalCardProps) {
  const words = useWords();
  const client = useClient();
  const [step, setStep] = useState<Step>('choose');
  const { busy, inert, guarded, answering } = useAnswering(`${call.id} ${useIsPutOff([call.id])} ${step}`);
  const { approval } = call;
  if (!approval) return null;

  const answer: AnswerWith = (decision, more = {}) =>
    answering(async () => {
      const sent = await client.call('permission.answer', { session, call: call.id, decision, ...more });
      if (sent.ok) dropAnswerDraft(call.id);
      return sent;
    });
  const isRed = approval.severe;
  const preview = call.intent?.preview.kind ?? 'none';
  const isChange = preview === 'changes';
  const buttons = { inert, answer, onStep: (next: Step) => guarded(() => setStep(next)) };

  return (
    <QuestionFrame
      calls={[call.id]}
      title={<VisibleText text={words.said(call.intent?.summary ?? call.tool)} />}
      icon={isRed || isGrave(approval) ? AlertTriangle : icons[preview]}
      isRed={isRed}
      isBusy={busy}
      from={from}
      since={approval.askedAt}
    >
      {isRed && <p className="text-xs font-medium text-bad">{words.approval.red}</p>}
      <ApprovalPreview call={call} />
      <ApprovalTargets call={call} />
      {preview !== 'question' && !isChange && <Reasons approval={approval} />}
      {step === 'always' && (
        <RulePicker
          title={words.approval.alwaysTitle}
          rules={standingRules(approval)}
          project={project}
          onPick={(rule, event) => answer('always', { rule })(event)}
          onBack={() => setStep('choose')}
        />
      )}
      {step === 'deny' && (
        <DenyStep
          label={words.approval.denyDo}
          isInert={inert}
          onDeny={(reason, event) => answer('deny', { reason })(event)}
          onBack={() => setStep('choose')}
        />
      )}
      {step === 'choose' &&
        (preview === 'question' ? (
          <QuestionReply
            call={call}
            inert={inert}
            onAnswer={(text) => answer('once', { answer: text })}
            onDeny={buttons.onStep('deny')}
            later={<Later call={call.id} />}
          />
        ) : (
          <Choices call={call} approval={approval} isChange={isChange} onReview={onReview} {...buttons} />
        ))}
    </QuestionFrame>
  );
}

function Reasons({ approval: { reasons, rememberable } }: { readonly approval: Approval }) {
  const { approval, said } = useWords();
  return (
    <>
      {reasons.length > 0 && (
        <p className="text-xs text-soft">
          <span className="sr-only">{approval.why}: </span>
          {reasons.map(said).join(' · ')}
        </p>
      )}
      {!rememberable && <p className="text-xs text-soft">{approval.onlyOnce}</p>}
    </>
  );
}

interface Buttons {
  readonly inert: boolean;
  readonly answer: AnswerWith;
  readonly onStep: (step: Step) => ReturnType<Answering['guarded']>;
}

function Choices({
  call,
  approval,
  isChange,
  onReview,
  inert,
  answer,
  onStep,
}: Buttons & {
  readonly call: Call;
  readonly approval: Approval;
  readonly isChange: boolean;
  readonly onReview: (() => void) | undefined;
}) {
  const words = useWords().approval;
  const canReview = isChange && onReview !== undefined;
  const forSession = sessionRules(approval)[0];
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {canReview && (
        <Button look="primary" onClick={onReview}>
          {words.review}
        </Button>
      )}
      <Button
        look={canReview ? 'plain' : approval.severe ? 'danger' : isGrave(approval) ? 'plain' : 'primary'}
        aria-disabled={inert}
        onClick={answer('once')}
      >
        {isChange ? words.applyAll : words.once}
      </Button>
      {approval.offer && (
        <Tip text={words.hourTitle(approval.offer.place)} side="top">
          <Button aria-disabled={inert} onClick={answer('hour')}>
            {words.hour(approval.offer.minutes)}
          </Button>
        </Tip>
      )}
      {approval.rememberable && forSession && (
        <>
          <Tip
            text={
              <>
                {words.sessionTitle}: <code className="font-mono break-all">{ruleText(forSession)}</code>
              </>
            }
            side="top"
          >
            <Button aria-disabled={inert} onClick={answer('session', { rule: forSession })}>
              {words.session}
            </Button>
          </Tip>
          <Button aria-disabled={inert} onClick={onStep('always')}>
            {words.always}
          </Button>
        </>
      )}
      <Button aria-disabled={inert} onClick={onStep('deny')}>
        {isChange ? words.rejectAll : words.deny}
      </Button>
      <Later call={call.id} />
    </div>
  );
}

function Later({ call }: { readonly call: string }) {
  const { approval } = useWords();
  return (
    <Button look="quiet" className="ml-auto" onClick={() => putOff([call], true)}>
      {approval.later}
    </Button>
  );
}
