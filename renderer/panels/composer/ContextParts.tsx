import type { ContextUse } from '../../../shared/model/contextUse.ts';
import { countText } from '../../../shared/text/amounts.ts';
import { useWords } from '../../words/words.tsx';

/** What fills the model's window, the largest first, and who counted it. Null: it is being counted. */
export function ContextParts({ use }: { readonly use: ContextUse | null }) {
  const { composer } = useWords();
  if (use === null)
    return (
      <p role="status" className="w-64 p-2 text-sm text-soft">
        {composer.contextCounting}
      </p>
    );
  const parts = use.parts.filter(({ tokens }) => tokens > 0).toSorted((a, b) => b.tokens - a.tokens);
  const most = Math.max(1, ...parts.map(({ tokens }) => tokens));
  return (
    <div className="w-64 p-2 text-sm">
      <h3 className="pb-1.5 font-medium">{composer.contextParts}</h3>
      <ul className="flex flex-col gap-1.5">
        {parts.map(({ kind, tokens }) => (
          <li key={kind}>
            <span className="flex items-baseline justify-between gap-3">
              <span>{composer.contextKinds[kind]}</span>
              <span className="tabular text-2xs text-soft">{countText(tokens)}</span>
            </span>
            <span aria-hidden className="mt-0.5 block h-1 overflow-hidden rounded-full bg-hover">
              <span className="block h-full rounded-full bg-accent" style={{ width: `${(tokens / most) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2 border-t border-line pt-1.5 text-2xs text-soft">
        {composer.contextMore(countText(use.tokens), use.limit > 0 ? countText(use.limit) : '?')}.{' '}
        {composer.contextCounted[use.counted]}
      </p>
    </div>
  );
}
