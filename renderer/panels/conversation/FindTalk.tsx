import { useEffect, useEffectEvent, useState } from 'react';
import { findRows } from '../../mirror/findRows.ts';
import type { Row } from '../../mirror/rows.ts';
import { FindField } from '../../parts/FindField.tsx';
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

  const status =
    found.length === 0 ? words.console.noMatch : words.talk.findPlace(at < 0 ? '–' : `${at + 1}`, found.length);
  return (
    <FindField
      label={words.talk.find}
      query={query}
      caseSensitive={caseSensitive}
      status={status}
      onChange={(text, isSensitive) => {
        setQuery(text);
        setCaseSensitive(isSensitive);
      }}
      onStep={step}
      onClose={onClose}
      className="absolute top-1.5 right-4 z-10"
    />
  );
}
