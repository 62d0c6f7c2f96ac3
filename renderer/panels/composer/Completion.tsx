import { Braces, Command as CommandIcon, FileDiff, FileText, Folder, PlugZap, SquareTerminal } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { cx } from '../../parts/cx.ts';
import { PathText } from '../../parts/PathText.tsx';
import { useWords } from '../../words/words.tsx';

export interface Choice {
  readonly id: string;
  readonly kind: 'mention' | 'slash';
  readonly label: string;
  /** What a mention names, and what is written for it after the `@`. */
  readonly of?: 'file' | 'folder' | 'symbol' | 'task' | 'change' | 'resource';
  readonly mention?: string;
  readonly note?: string;
  /** A slash command that may be followed by words. */
  readonly takes?: boolean;
}

/** The list above the composer; the keys stay in the text field, which names the chosen line. */
export function Completion({
  id,
  choices,
  chosen,
  onChoose,
}: {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly chosen: number;
  readonly onChoose: (choice: Choice) => void;
}) {
  const words = useWords();
  const list = useRef<HTMLUListElement>(null);
  // The keys choose beyond what is in sight.
  useEffect(() => {
    // It gives a promise in newer browsers, which an effect must not.
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <ul
      ref={list}
      id={id}
      role="listbox"
      tabIndex={0}
      aria-label={choices[0]?.kind === 'slash' ? words.composer.commands : words.composer.files}
      className="absolute -inset-x-px bottom-full z-10 mb-1.5 max-h-[min(16rem,30vh)] overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop"
    >
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus and names the chosen line
        <li
          key={choice.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          onMouseDown={(event) => {
            // The text field keeps the focus.
            event.preventDefault();
            onChoose(choice);
          }}
          className={cx(
            'flex w-full cursor-default items-center gap-2 rounded-md px-2 py-1 text-left hover:bg-hover [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:text-soft',
            index === chosen && 'bg-hover',
          )}
        >
          <Icon of={choice.of} />
          {choice.of === 'file' || choice.of === 'folder' ? (
            <PathText path={choice.label} />
          ) : (
            <span className="min-w-0 shrink-0 truncate">{choice.label}</span>
          )}
          {choice.note && <span className="ml-auto truncate pl-4 text-xs text-soft">{choice.note}</span>}
        </li>
      ))}
    </ul>
  );
}

const icons = {
  file: FileText,
  folder: Folder,
  symbol: Braces,
  task: SquareTerminal,
  change: FileDiff,
  resource: PlugZap,
} as const;

function Icon({ of }: Pick<Choice, 'of'>) {
  const Sign = of === undefined ? CommandIcon : icons[of];
  return <Sign aria-hidden />;
}
