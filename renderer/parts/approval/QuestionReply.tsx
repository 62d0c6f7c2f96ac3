import { type MouseEvent, type ReactNode, useId } from 'react';
import { type Asked, allAsked, answerText, isSaid, type Said } from '../../../shared/model/asked.ts';
import type { Call } from '../../../shared/model/call.ts';
import { useAnswerDraft, writeAnswerDraft } from '../../view/answerDrafts.ts';
import { useWords } from '../../words/words.tsx';
import { Button } from '../Button.tsx';
import { VisibleText } from '../VisibleText.tsx';
import { ReasonField } from './DenyStep.tsx';

type OnClick = (event: MouseEvent) => void;

const unsaid: Said = { picked: [], text: '' };

/** Questions in words: answered by choices, in words of the person's own, or both, as one message; or not at all. */
export function QuestionReply({
  call,
  inert,
  onAnswer,
  onDeny,
  later,
}: {
  readonly call: Call;
  readonly inert: boolean;
  /** The handler of a button that gives this answer. */
  readonly onAnswer: (text: string) => OnClick;
  readonly onDeny: OnClick;
  readonly later: ReactNode;
}) {
  const { approval } = useWords();
  const draft = useAnswerDraft(call.id);
  if (call.intent?.preview.kind !== 'question') return null;
  const asked = allAsked(call.intent.preview);
  const said = asked.map((_, at) => draft[at] ?? unsaid);
  const [{ choices = [], isOpen = choices.length === 0, isMultiple }] = asked as readonly [Asked, ...Asked[]]; // one at least
  const isForm = asked.length > 1 || isMultiple === true;
  const answered = said.filter(isSaid).length;
  const buttons = choices.map((choice, index) => (
    <Button key={choice} look={index === 0 ? 'primary' : 'plain'} aria-disabled={inert} onClick={onAnswer(choice)}>
      <VisibleText text={choice} />
    </Button>
  ));
  if (!isForm && !isOpen)
    return (
      <div className="flex flex-wrap items-center gap-1.5">
        {buttons}
        {later}
      </div>
    );
  return (
    <>
      {!isForm && choices.length > 0 && <div className="flex flex-wrap items-center gap-1.5">{buttons}</div>}
      {asked.map((one, at) => (
        <QuestionField
          key={`${at} ${one.question}`}
          asked={isForm ? one : { question: one.question }}
          number={asked.length > 1 ? at + 1 : undefined}
          said={said[at] ?? unsaid}
          onSaid={(next) => writeAnswerDraft(call.id, at, next)}
        />
      ))}
      <div className="flex flex-wrap items-center gap-1.5">
        <Button
          look={!isForm && choices.length > 0 ? 'plain' : 'primary'}
          aria-disabled={inert || answered === 0}
          onClick={answered === 0 ? undefined : onAnswer(answerText(asked, said))}
        >
          {approval.send}
        </Button>
        <Button aria-disabled={inert} onClick={onDeny}>
          {approval.deny}
        </Button>
        {asked.length > 1 && (
          <span className="text-xs text-soft" aria-live="polite">
            {approval.answered(answered, asked.length)}
          </span>
        )}
        {later}
      </div>
    </>
  );
}

/** One question of a form: its choices, if it has any, and room for other words. */
function QuestionField({
  asked: { question, choices = [], isMultiple = false },
  number,
  said,
  onSaid,
}: {
  readonly asked: Asked;
  readonly number: number | undefined;
  readonly said: Said;
  readonly onSaid: (said: Said) => void;
}) {
  const { approval } = useWords();
  const name = useId();
  const pick = (choice: string): void => {
    const others = said.picked.filter((one) => one !== choice);
    const isOff = others.length < said.picked.length;
    // In the order in which they were offered.
    const next = isMultiple ? choices.filter((one) => others.includes(one) || (one === choice && !isOff)) : [choice];
    onSaid({ ...said, picked: isOff && !isMultiple ? [] : next });
  };
  const field = (
    <ReasonField
      label={number === undefined ? approval.answerPlaceholder : approval.answerTo(number)}
      isShort={number !== undefined || choices.length > 0}
      text={said.text}
      onChange={(text) => onSaid({ ...said, text })}
    />
  );
  if (number === undefined && choices.length === 0) return field;
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="selectable mb-1 whitespace-pre-wrap">
        {number !== undefined && (
          <>
            <span className="text-soft">{number}. </span>
            <VisibleText text={question} />{' '}
          </>
        )}
        {isMultiple && <span className="text-xs text-soft">{approval.pickSeveral}</span>}
      </legend>
      {choices.map((choice) => (
        <label key={choice} className="flex items-start gap-2 rounded-md px-1.5 py-0.5 hover:bg-hover">
          <input
            type={isMultiple ? 'checkbox' : 'radio'}
            name={name}
            className="mt-1 accent-current"
            checked={said.picked.includes(choice)}
            onChange={() => pick(choice)}
            // Taken back by a click on it again: a radio button tells of no change then.
            onClick={!isMultiple && said.picked.includes(choice) ? () => pick(choice) : undefined}
          />
          <span className="min-w-0">
            <VisibleText text={choice} />
          </span>
        </label>
      ))}
      {field}
    </fieldset>
  );
}
