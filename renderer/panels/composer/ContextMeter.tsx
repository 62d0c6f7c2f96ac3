import { useSession } from '../../app/useSession.ts';
import { cx } from '../../parts/cx.ts';
import { Tip } from '../../parts/Tip.tsx';
import { countText } from '../../words/amounts.ts';
import { useWords } from '../../words/words.tsx';

/** How full the model's context is; a provider that tells no limit gets the bare count. */
export function ContextMeter() {
  const { composer } = useWords();
  const context = useSession((session) => session.context);
  if (context === null) return null;
  const { tokens, limit } = context;
  const part = limit > 0 ? Math.min(1, tokens / limit) : 0;
  const tone = part > 0.9 ? 'text-bad' : part > 0.75 ? 'text-warn' : 'text-accent';
  return (
    <Tip text={composer.contextMore(countText(tokens), limit > 0 ? countText(limit) : '?')} side="top">
      <span className="flex items-center gap-1.5 text-2xs text-soft">
        <svg aria-hidden viewBox="0 0 16 16" className={cx('size-3.5 -rotate-90', tone)}>
          <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeOpacity="0.22" strokeWidth="2.5" />
          <circle
            cx="8"
            cy="8"
            r="6"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.5"
            strokeDasharray={`${part * 37.7} 37.7`}
          />
        </svg>
        <span className="tabular">{limit > 0 ? composer.context(Math.round(part * 100)) : countText(tokens)}</span>
      </span>
    </Tip>
  );
}
