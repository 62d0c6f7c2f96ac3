import { ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useClient } from '../../client/client.ts';
import { configureSession, setPhaseEffort } from '../../commands/actions.ts';
import { cx } from '../../parts/cx.ts';
import { menuItemLook, menuLineLook, popLook } from '../../parts/menuLook.ts';
import { EffortChoices } from '../../parts/model/EffortChoices.tsx';
import { dialectText, factsText, nameAndEffort } from '../../parts/model/modelText.ts';
import { useAskedModel } from '../../parts/model/useAskedModel.ts';
import { openOverlay } from '../../view/overlay.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** Whom the next message asks, and how hard it thinks: beside the field that the message is written in. */
export function EffortMenu() {
  const words = useWords();
  const client = useClient();
  const asked = useAskedModel();
  const phase = useSession(({ facts }) => facts.phase);
  if (asked === null || asked.name === '' || asked.provider === 'scripted') return null;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label={words.model.menu(asked.name, asked.effort || words.model.usual)}
        className="flex min-w-0 items-center gap-1 rounded-md px-1 py-0.5 text-2xs text-soft hover:bg-hover data-[state=open]:bg-hover"
      >
        <span className="max-w-56 truncate">{nameAndEffort(asked)}</span>
        <ChevronDown aria-hidden className="size-3 shrink-0" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content side="top" align="start" sideOffset={6} className={cx(popLook, 'w-64')}>
          <div className="px-2 pt-1.5 pb-1">
            <p className="truncate text-sm font-medium">{asked.name}</p>
            <p className="text-2xs text-soft">{factsText(asked, words)}</p>
            <p className="text-2xs text-soft">{dialectText(asked, words)}</p>
          </div>
          <div className={menuLineLook} />
          <EffortChoices
            asked={asked}
            onSession={(effort) => void configureSession(client, { effort })}
            onPhase={(effort) => setPhaseEffort(client, phase, effort)}
          />
          <div className={menuLineLook} />
          <DropdownMenu.Item
            className={menuItemLook}
            onSelect={() => openOverlay({ kind: 'settings', section: 'providers' })}
          >
            {words.model.manage}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
