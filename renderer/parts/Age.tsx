import { ageText } from '../words/amounts.ts';
import { useWords } from '../words/words.tsx';
import { useNow } from './useNow.ts';

/** How long ago something was (an ISO date), in its largest unit; it grows as time goes by. */
export function Age({ at, isSentence = false }: { readonly at: string; readonly isSentence?: boolean }) {
  const words = useWords();
  const ageMs = useNow() - Date.parse(at);
  const text = ageText(ageMs, words);
  return <span className="tabular">{isSentence && ageMs >= 60_000 ? words.console.ago(text) : text}</span>;
}
