import { ChevronDown, PencilLine } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useClient } from '../../client/client.ts';
import { configureSession } from '../../commands/actions.ts';
import { cx } from '../../parts/cx.ts';
import { menuItemLook, popLook } from '../../parts/menuLook.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** When the edits of this session are reviewed: before they are written, or after. */
export function EditsMenu() {
  const { edits: w } = useWords().composer;
  const client = useClient();
  const isApplied = useSession(({ appliesEdits }) => appliesEdits);
  const look = 'flex items-center gap-1 rounded-md px-1 py-0.5 text-2xs hover:bg-hover data-[state=open]:bg-hover';
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label={w.menu(isApplied ? w.after : w.before)}
        className={cx(look, 'shrink-0', isApplied ? 'font-medium text-warn' : 'text-soft')}
      >
        <PencilLine aria-hidden className="size-3 shrink-0" />
        {isApplied && <span className="whitespace-nowrap">{w.after}</span>}
        <ChevronDown aria-hidden className="size-3 shrink-0" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content side="top" align="start" sideOffset={6} className={cx(popLook, 'w-72')}>
          <DropdownMenu.RadioGroup
            value={isApplied ? 'after' : 'before'}
            onValueChange={(value) => void configureSession(client, { appliesEdits: value === 'after' })}
          >
            {(['before', 'after'] as const).map((when) => (
              <DropdownMenu.RadioItem
                key={when}
                value={when}
                className={cx(menuItemLook, '!h-auto !items-start py-1.5')}
              >
                <span aria-hidden className="mt-1.5 size-1.5 shrink-0 rounded-full border border-accent">
                  <DropdownMenu.ItemIndicator className="-m-px block size-1.5 rounded-full bg-accent" />
                </span>
                <span className="min-w-0">
                  <span className="block">{w[when]}</span>
                  <span className="block text-2xs whitespace-normal text-soft">{w.more[when]}</span>
                </span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
