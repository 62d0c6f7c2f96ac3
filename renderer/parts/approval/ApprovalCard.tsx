import { AlertTriangle, FileDiff, HelpCircle, ShieldQuestion, Terminal } from 'lucide-react';
import { useId, useState } from 'react';
import type { Call, Decision } from '../../../shared/model/call.ts';
import { type Rule, ruleText } from '../../../shared/model/rule.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { putOff, usePutOff } from '../../view/panelState.ts';
import { spanText } from '../../words/amounts.ts';
import { useWords } from '../../words/words.tsx';
import { Button } from '../Button.tsx';
import { cx } from '../cx.ts';
import { Tip } from '../Tip.tsx';
import { useNow } from '../useNow.ts';
import { VisibleText } from '../VisibleText.tsx';
import { ApprovalPreview, ApprovalTargets } from './ApprovalPreview.tsx';
import { PutOffLine } from './PutOffLine.tsx';
import { RulePicker } from './RulePicker.tsx';
import { sessionRules, standingRules } from './ruleChoice.ts';
import { useGuard } from './useGuard.ts';

export interface ApprovalCardProps {
  readonly call: Call;
  readonly session: string;
  readonly project: string;
  /** Who asks, where it is not plain from the place of the card. */
  readonly from?: string;
  readonly onReview?: () => void;
}

const icons = {
  command: Terminal,
  changes: FileDiff,
  question: HelpCircle,
  text: ShieldQuestion,
  none: ShieldQuestion,
};

/** A question to the person, where it arose. Nothing in it has the focus by itself, and nothing counts too early. */
export function ApprovalCard({ call, session, project, from, onReview }: ApprovalCardProps) {
  const words = useWords();
  const client = useClient();
  const titleId = useId();
  const isLater = usePutOff((later) => later[call.id] === true);
  const [step, setStep] = useState<'choose' | 'deny' | 'always'>('choose');
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const { settled, guarded } = useGuard(`${call.id} ${isLater} ${step}`);
  const approval = call.approval;
  if (!approval) return null;

  const answer = (decision: Decision, more: { rule?: Rule; reason?: string; answer?: string } = {}): void => {
    setBusy(true);
    void valueOrToast(client.call('permission.answer', { session, call: call.id, decision, ...more })).then(() =>
      setBusy(false),
    );
  };
  const red = approval.tone === 'red';
  const preview = call.intent?.preview.kind ?? 'none';
  const isQuestion = preview === 'question';
  const isChange = preview === 'changes';
  const Icon = red ? AlertTriangle : icons[preview];
  const inert = !settled || busy;
  const forSession = sessionRules(approval)[0];

  if (isLater)
    return (
      <PutOffLine
        titleId={titleId}
        title={<VisibleText text={call.intent?.summary ?? call.tool} />}
        onAnswer={() => putOff([call.id], false)}
      />
    );

  return (
    <section
      aria-labelledby={titleId}
      aria-busy={busy}
      className={cx('overflow-hidden rounded-lg border bg-panel', red ? 'border-bad-edge' : 'border-warn-edge')}
    >
      <header
        className={cx('flex items-center gap-2 px-3 py-1.5', red ? 'bg-bad-tint text-bad' : 'bg-warn-tint text-warn')}
      >
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <h3 id={titleId} className="min-w-0 flex-1 truncate text-sm font-semibold text-ink">
          <span className="sr-only">{words.approval.label}: </span>
          <VisibleText text={call.intent?.summary ?? call.tool} />
        </h3>
        <span className="shrink-0 text-2xs text-soft">
          {from ? `${from} · ` : ''}
          <Age since={approval.askedAt} />
        </span>
      </header>
      <div className="flex flex-col gap-2 px-3 pt-2.5 pb-3">
        {red && <p className="text-xs font-medium text-bad">{words.approval.red}</p>}
        <ApprovalPreview call={call} />
        <ApprovalTargets call={call} />
        {approval.reasons.length > 0 && !isQuestion && !isChange && (
          <p className="text-xs text-soft">
            <span className="sr-only">{words.approval.why}: </span>
            {approval.reasons.join(' · ')}
          </p>
        )}
        {!approval.rememberable && !isQuestion && !isChange && (
          <p className="text-xs text-soft">{words.approval.onlyOnce}</p>
        )}

        {(isQuestion || step === 'deny') && (
          <textarea
            aria-label={isQuestion ? words.approval.answerPlaceholder : words.approval.reasonPlaceholder}
            placeholder={isQuestion ? words.approval.answerPlaceholder : words.approval.reasonPlaceholder}
            className="field-sizing-content max-h-40 min-h-14 w-full resize-none rounded-md border border-edge/70 bg-inset px-2.5 py-1.5"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        {step === 'always' && (
          <RulePicker
            title={words.approval.alwaysTitle}
            rules={standingRules(approval)}
            project={project}
            onPick={(rule, event) => guarded(() => answer('always', { rule }))(event)}
            onBack={() => setStep('choose')}
          />
        )}

        {step === 'choose' && (
          <div className="flex flex-wrap items-center gap-1.5">
            {isQuestion ? (
              <Button
                look="primary"
                aria-disabled={inert || text.trim() === ''}
                onClick={guarded(() => text.trim() !== '' && !busy && answer('once', { answer: text }))}
              >
                {words.approval.send}
              </Button>
            ) : (
              <>
                {isChange && onReview && (
                  <Button look="primary" onClick={onReview}>
                    {words.approval.review}
                  </Button>
                )}
                <Button
                  look={isChange && onReview ? 'plain' : red ? 'danger' : 'primary'}
                  aria-disabled={inert}
                  onClick={guarded(() => !busy && answer('once'))}
                >
                  {isChange ? words.approval.applyAll : words.approval.once}
                </Button>
                {approval.offer && (
                  <Tip text={words.approval.hourTitle(approval.offer.place)} side="top">
                    <Button aria-disabled={inert} onClick={guarded(() => !busy && answer('hour'))}>
                      {words.approval.hour(approval.offer.minutes)}
                    </Button>
                  </Tip>
                )}
                {approval.rememberable && forSession && (
                  <>
                    <Tip text={<SessionRule rule={forSession} />} side="top">
                      <Button
                        aria-disabled={inert}
                        onClick={guarded(() => !busy && answer('session', { rule: forSession }))}
                      >
                        {words.approval.session}
                      </Button>
                    </Tip>
                    <Button aria-disabled={inert} onClick={guarded(() => setStep('always'))}>
                      {words.approval.always}
                    </Button>
                  </>
                )}
              </>
            )}
            <Button aria-disabled={inert} onClick={guarded(() => setStep('deny'))}>
              {isChange ? words.approval.rejectAll : words.approval.deny}
            </Button>
            <Button look="quiet" className="ml-auto" onClick={() => putOff([call.id], true)}>
              {words.approval.later}
            </Button>
          </div>
        )}
        {step === 'deny' && (
          <div className="flex gap-1.5">
            <Button
              look="danger"
              aria-disabled={inert}
              onClick={guarded(() => !busy && answer('deny', text.trim() === '' ? {} : { reason: text.trim() }))}
            >
              {words.approval.denyDo}
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

function SessionRule({ rule }: { readonly rule: Rule }) {
  const { approval } = useWords();
  return (
    <>
      {approval.sessionTitle}: <code className="font-mono break-all">{ruleText(rule)}</code>
    </>
  );
}

function Age({ since }: { readonly since: string }) {
  const words = useWords();
  return <span className="tabular">{words.approval.age(spanText(useNow() - Date.parse(since), words))}</span>;
}
