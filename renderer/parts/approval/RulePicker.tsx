import { useState } from 'react';
import { type Rule, ruleText } from '../../../shared/model/rule.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { useWords } from '../../words/words.tsx';
import { Button } from '../Button.tsx';
import { VisibleText } from '../VisibleText.tsx';

/** Shows the exact rules that can be saved, and what the chosen one would have allowed before, ahead of saving it. */
export function RulePicker({
  rules,
  project,
  title,
  onPick,
  onBack,
}: {
  readonly rules: readonly Rule[];
  readonly project: string;
  readonly title: string;
  readonly onPick: (rule: Rule, event: { readonly timeStamp: number; preventDefault(): void }) => void;
  readonly onBack: () => void;
}) {
  const words = useWords();
  const [chosen, setChosen] = useState(0);
  const rule = rules[chosen];
  const past = useAnswer('permission.backtest', rule ? { rule, project } : null);
  return (
    <fieldset className="rounded-md border border-line bg-raised p-2.5">
      <legend className="sr-only">{title}</legend>
      <p className="mb-1.5 text-xs text-soft">{title}</p>
      {rules.map((candidate, index) => (
        <label key={candidate.id} className="flex items-start gap-2 py-0.5">
          <input
            type="radio"
            className="mt-1 accent-current"
            checked={index === chosen}
            onChange={() => setChosen(index)}
          />
          <span className="min-w-0">
            <code className="selectable font-mono text-xs break-all">
              <VisibleText text={ruleText(candidate)} />
            </code>{' '}
            <span className="text-xs text-soft">
              {words.approval.scope} {words.approval.scopes[candidate.scope]}
            </span>
          </span>
        </label>
      ))}
      <p className="mt-1 text-xs text-soft">{words.approval.ruleIsYours}</p>
      <p className="mt-1 min-h-5 text-xs text-soft" aria-live="polite">
        {past &&
          (past.considered === 0
            ? words.approval.backtestNone
            : words.approval.backtest(past.matched.length, past.considered))}
      </p>
      <div className="mt-1.5 flex gap-1.5">
        <Button look="primary" disabled={!rule} onClick={(event) => rule && onPick(rule, event)}>
          {words.approval.alwaysDo}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {words.common.back}
        </Button>
      </div>
    </fieldset>
  );
}
