import type { ReactNode } from 'react';
import { putOff } from '../../view/panelState.ts';
import { useWords } from '../../words/words.tsx';
import { Button } from '../Button.tsx';
import { DenyStep } from './DenyStep.tsx';
import type { Answering } from './useAnswering.ts';

export type SharedStep = 'choose' | 'deny' | 'apart';

/** The buttons below several calls that are one question: those that allow (`children`), no to all, one by one, later. */
export function SharedAnswers({
  calls,
  step,
  onStep,
  answering: { inert, guarded },
  deny,
  onDeny,
  children,
}: {
  readonly calls: readonly string[];
  readonly step: SharedStep;
  readonly onStep: (step: SharedStep) => void;
  readonly answering: Answering;
  /** What the button is called that asks for a reason, and the one that says no. */
  readonly deny: { readonly ask: string; readonly act: string };
  readonly onDeny: Parameters<typeof DenyStep>[0]['onDeny'];
  readonly children: ReactNode;
}) {
  const words = useWords();
  if (step === 'deny')
    return <DenyStep label={deny.act} isInert={inert} onDeny={onDeny} onBack={() => onStep('choose')} />;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {children}
      <Button aria-disabled={inert} onClick={guarded(() => onStep('deny'))}>
        {deny.ask}
      </Button>
      <Button look="quiet" onClick={() => onStep('apart')}>
        {words.approval.apart}
      </Button>
      <Button look="quiet" className="ml-auto" onClick={() => putOff(calls, true)}>
        {words.approval.later}
      </Button>
    </div>
  );
}
