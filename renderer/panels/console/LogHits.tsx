import type { OutputOf } from '../../../shared/contract/api.ts';
import { splitAt } from '../../parts/splitAt.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { useWords } from '../../words/words.tsx';

/** The lines of the whole log that hold a text, with their neighbours, to read and to copy. */
export function LogHits({
  found: { total, lines },
  query,
  caseSensitive,
}: {
  readonly found: OutputOf<'task.find'>;
  readonly query: string;
  readonly caseSensitive: boolean;
}) {
  const words = useWords();
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled by keys too
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      aria-label={words.console.inLog(total)}
      className="mt-1 min-h-0 w-full overflow-y-auto rounded-lg border border-edge bg-raised py-1 shadow-pop"
    >
      <ol className="selectable font-mono text-2xs leading-4.5">
        {lines.map(({ line, text, before, after }) => (
          <li key={line} className="flex gap-2 border-b border-line px-2 py-0.5 last:border-b-0">
            <span className="tabular w-12 shrink-0 text-right text-soft">{line}</span>
            <div className="min-w-0 flex-1 break-words whitespace-pre-wrap">
              <Around lines={before} />
              {splitAt(text, query, caseSensitive).map((part, index) =>
                index % 2 === 0 ? (
                  <VisibleText key={index} text={part} />
                ) : (
                  <mark key={index} className="rounded-xs bg-warn-edge text-ink">
                    <VisibleText text={part} />
                  </mark>
                ),
              )}
              <Around lines={after} />
            </div>
          </li>
        ))}
      </ol>
      {total > lines.length && (
        <p className="px-2 pt-1 text-2xs text-soft">{words.console.moreInLog(total - lines.length)}</p>
      )}
    </section>
  );
}

function Around({ lines }: { readonly lines: readonly string[] }) {
  return lines.map((line, index) => (
    <div key={index} className="text-soft">
      <VisibleText text={line} />
    </div>
  ));
}
