import type { SearchAddon } from '@xterm/addon-search';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isComposing } from '../../commands/keys.ts';
import { IconButton } from '../../parts/Button.tsx';
import { useFocusOnce } from '../../parts/useFocusOnce.ts';
import { useWords } from '../../words/words.tsx';

export function FindBar({ search, onClose }: { readonly search: SearchAddon; readonly onClose: () => void }) {
  const words = useWords();
  const [query, setQuery] = useState('');
  const [found, setFound] = useState(true);
  const field = useFocusOnce<HTMLInputElement>();
  useEffect(() => () => search.clearDecorations(), [search]);
  const find = (text: string, back = false): void => {
    setFound(text === '' || (back ? search.findPrevious(text) : search.findNext(text)));
  };
  return (
    <search className="absolute top-1.5 right-4 z-10 flex items-center gap-0.5 rounded-lg border border-line bg-raised p-1 shadow-pop">
      <input
        ref={field}
        aria-label={words.console.search}
        placeholder={words.console.search}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          find(event.target.value);
        }}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === 'Enter') find(query, event.shiftKey);
          if (event.key === 'Escape') onClose();
        }}
        className="h-6 w-48 bg-transparent px-2 text-xs outline-none"
      />
      {!found && <span className="pr-1 text-2xs text-bad">{words.console.noMatch}</span>}
      <IconButton label={words.console.previous} onClick={() => find(query, true)}>
        <ChevronUp />
      </IconButton>
      <IconButton label={words.console.next} onClick={() => find(query)}>
        <ChevronDown />
      </IconButton>
      <IconButton label={words.common.close} onClick={onClose}>
        <X />
      </IconButton>
    </search>
  );
}
