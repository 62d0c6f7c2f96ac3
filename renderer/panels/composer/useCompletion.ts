import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Choice } from './Completion.tsx';
import { tokenAt } from './token.ts';
import { useChoices } from './useChoices.ts';

/** What completes the word at the caret, and the keys that choose from it. */
export function useCompletion(
  text: string,
  caret: number,
  onChoose: (choice: Choice, token: NonNullable<ReturnType<typeof tokenAt>>) => void,
) {
  const [dismissed, setDismissed] = useState('');
  const [chosen, setChosen] = useState(0);
  const found = tokenAt(text, caret);
  const tokenKey = found ? `${found.kind} ${found.from} ${found.query}` : '';
  const token = tokenKey === dismissed ? null : found;
  const choices = useChoices(token);
  const isOpen = token !== null && choices.length > 0;
  // The first line is chosen anew with each token.
  useEffect(() => setChosen(0), [tokenKey]);

  const choose = (choice: Choice): void => {
    if (token) onChoose(choice, token);
  };
  /** Whether the key was for the list. */
  const takesKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    if (!isOpen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    const choice = choices[chosen];
    if (step !== undefined) setChosen((chosen + step + choices.length) % choices.length);
    else if (key === 'Escape') setDismissed(tokenKey);
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey && choice) choose(choice);
    else return false;
    return true;
  };
  return { choices, chosen, isOpen, choose, takesKey };
}
