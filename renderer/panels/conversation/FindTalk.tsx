import { CaseSensitive, ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { findRows } from '../../mirror/findRows.ts';
import type { Row } from '../../mirror/rows.ts';
import { IconButton } from '../../parts/Button.tsx';
import { isComposing } from '../../parts/keys.ts';
import { useFocusOnce } from '../../parts/useFocusOnce.ts';
import { useWords } from '../../words/words.tsx';

/** What is searched, and the row that is shown of it. */
export interface Sought {
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly current: number;
}

/** Finds a text in the whole conversation, drawn or not; begins with the newest row that has it. */
export function FindTalk({
  rows,
  onSought,
  onShow,
  onClose,
}: {
  readonly rows: readonly Row[];
  readonly onSought: (sought: Sought | null) => void;
  readonly onShow: () => void;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const [query, setQuery] = useState('');
  const [caseSensitive, setCaseSensitive] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const field = useFocusOnce<HTMLInputElement>();
  const found = findRows(rows, query, caseSensitive);
  const at = found.indexOf(chosen);

  const show = (place: number): void => {
    const row = found.at(place);
    if (row === undefined) return;
    setChosen(row);
    onShow();
  };
  // with each other text or case the newest row is shown first
  const showNewest = useEffectEvent(() => show(-1));
  useEffect(() => showNewest(), [query, caseSensitive]);
  const tell = useEffectEvent(onSought);
  useEffect(() => {
    tell(query === '' ? null : { text: query, caseSensitive, current: chosen });
  }, [query, caseSensitive, chosen]);
  useEffect(() => () => tell(null), []);
  const step = (by: -1 | 1): void => show((at + by + found.length) % Math.max(1, found.length));

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- `search` is a landmark; Escape leaves it from any of its buttons */}
      <search
        className="absolute top-1.5 right-4 z-10 flex items-center gap-0.5 rounded-lg border border-edge bg-raised p-1 shadow-pop"
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      >
        <input
          ref={field}
          aria-label={words.talk.find}
          placeholder={words.talk.find}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (isComposing(event.nativeEvent) || event.key !== 'Enter') return;
            step(event.shiftKey ? -1 : 1);
          }}
          className="h-6 w-44 min-w-0 bg-transparent px-2 text-xs outline-none"
        />
        <span role="status" className="tabular px-1 text-2xs whitespace-nowrap text-soft">
          {query !== '' &&
            (found.length === 0
              ? words.console.noMatch
              : words.talk.findPlace(at < 0 ? '–' : `${at + 1}`, found.length))}
        </span>
        <IconButton
          label={words.console.matchCase}
          aria-pressed={caseSensitive}
          onClick={() => setCaseSensitive(!caseSensitive)}
        >
          <CaseSensitive />
        </IconButton>
        <IconButton label={words.console.previous} onClick={() => step(-1)}>
          <ChevronUp />
        </IconButton>
        <IconButton label={words.console.next} onClick={() => step(1)}>
          <ChevronDown />
        </IconButton>
        <IconButton label={words.common.close} onClick={onClose}>
          <X />
        </IconButton>
      </search>
    </>
  );
}
