import { type MouseEvent, useState } from 'react';
import { useWords } from '../../words/words.tsx';
import { Button } from '../Button.tsx';
import { cx } from '../cx.ts';

/** Says no, with a reason for the model where one is given. */
export function DenyStep({
  label,
  isInert,
  onDeny,
  onBack,
}: {
  readonly label: string;
  readonly isInert: boolean;
  readonly onDeny: (reason: string | undefined, event: MouseEvent) => void;
  readonly onBack: () => void;
}) {
  const words = useWords();
  const [reason, setReason] = useState('');
  return (
    <>
      <ReasonField label={words.approval.reasonPlaceholder} text={reason} onChange={setReason} />
      <div className="flex gap-1.5">
        <Button
          look="danger"
          aria-disabled={isInert}
          onClick={(event) => onDeny(reason.trim() === '' ? undefined : reason.trim(), event)}
        >
          {label}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {words.common.back}
        </Button>
      </div>
    </>
  );
}

export function ReasonField({
  label,
  text,
  isShort = false,
  onChange,
}: {
  readonly label: string;
  /** One line, until more is written. */
  readonly isShort?: boolean;
  readonly text: string;
  readonly onChange: (text: string) => void;
}) {
  return (
    <textarea
      aria-label={label}
      placeholder={label}
      className={cx(
        'field-sizing-content max-h-40 w-full resize-none rounded-md border border-edge/70 bg-inset px-2.5 py-1.5',
        isShort ? 'min-h-8' : 'min-h-14',
      )}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
