import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { ContextUse } from '../../../shared/model/contextUse.ts';
import { countText } from '../../../shared/text/amounts.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { cx } from '../../parts/cx.ts';
import { popLook } from '../../parts/menuLook.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { ContextParts } from './ContextParts.tsx';

/** How full the model's context is, and at a press with what; a provider that tells no limit gets the bare count. */
export function ContextMeter() {
  const { composer } = useWords();
  const client = useClient();
  const session = useSession(({ id }) => id);
  const context = useSession((state) => state.context);
  const [use, setUse] = useState<ContextUse | null>(null);
  if (context === null) return null;
  const { tokens, limit } = context;
  const part = limit > 0 ? Math.min(1, tokens / limit) : 0;
  const color = part > 0.9 ? 'text-bad' : part > 0.75 ? 'text-warn' : 'text-accent';
  const all = composer.contextMore(countText(tokens), limit > 0 ? countText(limit) : '?');
  const look = async (isOpen: boolean): Promise<void> => {
    if (!isOpen) return setUse(null);
    const found = await valueOrToast(client.call('session.context', { session }));
    if (found) setUse(found.use);
  };
  return (
    <Popover.Root onOpenChange={(isOpen) => void look(isOpen)}>
      <Popover.Trigger
        title={all}
        className="flex items-center gap-1.5 rounded-md px-1 py-0.5 text-2xs text-soft hover:bg-hover"
      >
        <svg aria-hidden viewBox="0 0 16 16" className={cx('size-3.5 -rotate-90', color)}>
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
        <span className="tabular whitespace-nowrap">
          {limit > 0 ? composer.context(Math.round(part * 100)) : countText(tokens)}
        </span>
        <span className="sr-only">: {all}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content side="top" align="start" sideOffset={6} aria-label={composer.contextParts} className={popLook}>
          <ContextParts use={use} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
