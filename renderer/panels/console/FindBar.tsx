import type { SearchAddon } from '@xterm/addon-search';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/api.ts';
import { useClient } from '../../client/client.ts';
import { FindField } from '../../parts/FindField.tsx';
import { searchColors } from '../../theme/terminalTheme.ts';
import { useWords } from '../../words/words.tsx';
import { LogHits } from './LogHits.tsx';
import { mostMarked } from './openTerminal.ts';

/** Half a word is not searched for in a log of a gigabyte. */
const typingPauseMs = 200;
const mostLines = 200;

interface FindBarProps {
  readonly search: SearchAddon;
  readonly target: { readonly session: string; readonly task: string };
  readonly onClose: () => void;
}

/** Finds a text on the screen, place by place, and in the whole log, which has more than the screen. */
export function FindBar({ search, target, onClose }: FindBarProps) {
  const words = useWords();
  const [query, setQuery] = useState('');
  const [caseSensitive, setCaseSensitive] = useState(false);
  const [places, setPlaces] = useState({ resultIndex: -1, resultCount: 0 });
  const [showLog, setShowLog] = useState(false);
  const log = useWholeLog(target, query, caseSensitive);

  useEffect(() => {
    const heard = search.onDidChangeResults(setPlaces);
    return () => {
      heard.dispose();
      search.clearDecorations();
    };
  }, [search]);
  const find = (text: string, isSensitive: boolean, way: 'next' | 'previous' | 'here'): void => {
    if (text === '') {
      search.clearDecorations();
      setPlaces({ resultIndex: -1, resultCount: 0 });
      return;
    }
    const options = { caseSensitive: isSensitive, decorations: searchColors(document.documentElement) };
    if (way === 'previous') search.findPrevious(text, options);
    else search.findNext(text, { ...options, incremental: way === 'here' });
  };
  return (
    <div className="absolute inset-x-2 top-1.5 z-10 flex max-h-[calc(100%-0.75rem)] flex-col items-end">
      <FindField
        label={words.console.search}
        query={query}
        caseSensitive={caseSensitive}
        status={placesText(places, words.console)}
        onChange={(text, isSensitive) => {
          // The search marks the same word anew only where its marks are gone: another case alone leaves them.
          if (isSensitive !== caseSensitive) search.clearDecorations();
          setQuery(text);
          setCaseSensitive(isSensitive);
          find(text, isSensitive, 'here');
        }}
        onStep={(by) => find(query, caseSensitive, by < 0 ? 'previous' : 'next')}
        onClose={onClose}
        className="max-w-full shrink-0 flex-wrap"
      >
        {log !== null && (
          <button
            type="button"
            aria-expanded={showLog}
            disabled={log.total === 0}
            onClick={() => setShowLog(!showLog)}
            className="tabular h-6 rounded-md px-1.5 text-2xs whitespace-nowrap text-accent hover:bg-hover disabled:text-soft"
          >
            {words.console.inLog(log.total)}
          </button>
        )}
      </FindField>
      {showLog && log !== null && log.total > 0 && <LogHits found={log} query={query} caseSensitive={caseSensitive} />}
    </div>
  );
}

function placesText(
  { resultIndex, resultCount }: { readonly resultIndex: number; readonly resultCount: number },
  { noMatch, place }: { readonly noMatch: string; readonly place: (at: string, all: string) => string },
): string {
  if (resultCount === 0) return noMatch;
  const all = resultCount >= mostMarked ? `${mostMarked}+` : `${resultCount}`;
  return place(resultIndex < 0 ? '–' : `${resultIndex + 1}`, all);
}

/** What the whole log has; null until it is known. */
function useWholeLog(
  { session, task }: FindBarProps['target'],
  query: string,
  caseSensitive: boolean,
): OutputOf<'task.find'> | null {
  const client = useClient();
  const [found, setFound] = useState<OutputOf<'task.find'> | null>(null);
  useEffect(() => {
    setFound(null);
    if (query === '') return;
    let current = true;
    const timer = setTimeout(() => {
      void client.call('task.find', { session, task, query, caseSensitive, limit: mostLines }).then((answer) => {
        if (current && answer.ok) setFound(answer.value);
      });
    }, typingPauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, session, task, query, caseSensitive]);
  return found;
}
