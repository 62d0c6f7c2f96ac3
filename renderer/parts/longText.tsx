import { type ReactNode, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { Button } from './Button.tsx';

/** So many characters of one text are drawn at first and with each step: what a window draws without a pause. */
const step = 200_000;

/** The part of a text that is drawn, to the end of a line where there is one near, and a button for the rest. */
export function useLongText(text: string): { readonly shown: string; readonly more: ReactNode } {
  const words = useWords();
  const [limit, setLimit] = useState(step);
  if (text.length <= limit) return { shown: text, more: null };
  const line = text.lastIndexOf('\n', limit);
  const shown = text.slice(0, line > limit - step / 2 ? line + 1 : limit);
  const more = (
    <p className="flex items-center gap-2 py-1 text-xs text-soft">
      {words.talk.moreText(text.length - shown.length)}
      <Button look="quiet" onClick={() => setLimit(limit + step)}>
        {words.talk.showMore}
      </Button>
    </p>
  );
  return { shown, more };
}

/** A plain text, drawn like this. */
export function LongText({ text }: { readonly text: string }) {
  const { shown, more } = useLongText(text);
  return (
    <>
      {shown}
      {more}
    </>
  );
}
