import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useAnswer } from '../../client/useAnswer.ts';
import { inputLook } from '../../parts/Field.tsx';
import { menuLabelLook } from '../../parts/menuLook.ts';
import { MenuChoice } from '../../parts/model/MenuChoice.tsx';
import { factsText } from '../../parts/model/modelText.ts';
import { useWords } from '../../words/words.tsx';

/** More rows than these are no list to choose from: typing narrows it. */
const shownRows = 100;

/** The models that a provider serves, with window and price; asked for when the menu opens and not before. */
export function ModelList({
  provider,
  current,
  onChoose,
}: {
  readonly provider: string;
  readonly current: string;
  readonly onChoose: (model: string) => void;
}) {
  const words = useWords();
  const [query, setQuery] = useState('');
  const listed = useAnswer('provider.models', { name: provider })?.models ?? [];
  const models = listed.toSorted((a, b) => Number(b.name === current) - Number(a.name === current));
  const typed = query.trim();
  const found = models.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase())).slice(0, shownRows);
  const isNew = typed !== '' && !models.some(({ name }) => name === typed);
  return (
    <>
      <DropdownMenu.Label className={menuLabelLook}>{words.header.model}</DropdownMenu.Label>
      <input
        type="search"
        aria-label={words.model.filter}
        placeholder={words.model.filter}
        value={query}
        className={`${inputLook} mx-2 mb-1 !w-[calc(100%-1rem)]`}
        onChange={(event) => setQuery(event.target.value)}
        // The menu would take letters for its own search.
        onKeyDown={(event) => !['ArrowDown', 'ArrowUp', 'Escape', 'Tab'].includes(event.key) && event.stopPropagation()}
      />
      <div className="max-h-56 overflow-y-auto">
        {found.map((model) => (
          <MenuChoice
            key={model.name}
            chosen={model.name === current}
            title={model.name}
            more={factsText(model, words)}
            onSelect={() => onChoose(model.name)}
          />
        ))}
        {isNew && <MenuChoice chosen={false} title={words.model.useNamed(typed)} onSelect={() => onChoose(typed)} />}
      </div>
    </>
  );
}
