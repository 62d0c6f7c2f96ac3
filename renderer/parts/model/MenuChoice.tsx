import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { cx } from '../cx.ts';
import { menuItemLook } from '../menuLook.ts';

/** One of several things in a menu, of which one is chosen. */
export function MenuChoice({
  chosen,
  title,
  more,
  onSelect,
}: {
  readonly chosen: boolean;
  readonly title: string;
  readonly more?: string | undefined;
  readonly onSelect: () => void;
}) {
  return (
    <DropdownMenu.CheckboxItem checked={chosen} className={cx(menuItemLook, 'items-start')} onSelect={onSelect}>
      <span className="mt-0.5 size-3.5 shrink-0">
        <DropdownMenu.ItemIndicator>
          <Check aria-hidden className="size-3.5 !text-accent" />
        </DropdownMenu.ItemIndicator>
      </span>
      <span className="min-w-0">
        <span className="block truncate">{title}</span>
        {more && <span className="block text-2xs text-soft">{more}</span>}
      </span>
    </DropdownMenu.CheckboxItem>
  );
}
