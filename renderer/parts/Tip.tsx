import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';

export function Tip({
  text,
  keys,
  side,
  children,
}: {
  readonly text: ReactNode;
  readonly keys?: string | undefined;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  readonly children: ReactNode;
}) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          side={side ?? 'bottom'}
          sideOffset={5}
          collisionPadding={8}
          className="z-50 max-w-80 rounded-md border border-line bg-raised px-2 py-1 text-xs text-ink shadow-pop"
        >
          {text}
          {keys && <span className="ml-2 text-soft">{keys}</span>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
