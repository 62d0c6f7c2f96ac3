import { Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWords } from '../../words/words.tsx';
import { Button } from '../Button.tsx';

/** What is left of a question that was put off: its title, and the way back to it. */
export function PutOffLine({
  titleId,
  title,
  onAnswer,
}: {
  readonly titleId: string;
  readonly title: ReactNode;
  readonly onAnswer: () => void;
}) {
  const { approval } = useWords();
  return (
    <section
      aria-labelledby={titleId}
      className="flex items-center gap-2 rounded-lg border border-dashed border-warn-edge px-3 py-1.5"
    >
      <Clock aria-hidden className="size-3.5 shrink-0 text-warn" />
      <p id={titleId} className="min-w-0 flex-1 truncate">
        <span className="text-soft">{approval.putOff}:</span> {title}
      </p>
      <Button onClick={onAnswer}>{approval.answerNow}</Button>
    </section>
  );
}
