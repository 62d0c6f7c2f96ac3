import { Coins } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { Usage } from '../../../shared/model/usage.ts';
import { costText, countText, spentText } from '../../../shared/text/amounts.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { Button } from '../../parts/Button.tsx';
import { popLook } from '../../parts/menuLook.ts';
import { openOverlay } from '../../view/overlay.ts';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** What the session has cost and the cache has saved; at a press by turn, session and day, with the caps. */
export function SpendMeter() {
  const words = useWords();
  const usage = useSession((session) => session.usage);
  const [open, setOpen] = useState(false);
  if (usage.requests === 0) return null;
  const tokens = words.status.tokens(countText(usage.input), countText(usage.output));
  const saved = usage.saved !== undefined && usage.saved >= 0.0005 ? words.spend.saved(costText(usage.saved)) : '';
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger title={words.spend.title} className="flex min-w-0 items-center gap-1 hover:text-ink">
        <Coins aria-hidden />
        <span className="sr-only">{words.spend.title}: </span>
        <span className="tabular truncate">{[tokens, spentText(usage), saved].filter(Boolean).join(' · ')}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content side="top" align="end" sideOffset={6} aria-label={words.spend.title} className={popLook}>
          {open && <SpendTable onClose={() => setOpen(false)} />}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function SpendTable({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const { spend } = words;
  const usage = useSession((session) => session.usage);
  const turn = useSession((session) => session.turnUsage);
  const ownCap = useSession((session) => session.maxCost);
  const caps = useWorkbench(({ settings }) => settings.spend);
  const today = useAnswer('usage.today', {}, { again: String(usage.requests) })?.usage;
  const rows: readonly (readonly [string, Usage | undefined, number | null])[] = [
    [spend.turn, turn, null],
    [spend.session, usage, ownCap ?? caps.session],
    [spend.today, today, caps.day],
  ];
  return (
    <div className="p-2 text-sm">
      <h3 className="pb-1.5 font-medium">{spend.title}</h3>
      <table className="tabular text-right text-xs">
        <thead className="text-2xs text-soft">
          <tr>
            <td aria-hidden />
            {[spend.input, spend.cached, spend.output, spend.cost, spend.cap].map((head) => (
              <th key={head} scope="col" className="py-0.5 pl-4 font-normal">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, used, cap]) => (
            <tr key={label}>
              <th scope="row" className="py-0.5 text-left font-normal text-soft">
                {label}
              </th>
              <td className="pl-4">{used ? countText(used.input) : ''}</td>
              <td className="pl-4">{used ? countText(used.cached) : ''}</td>
              <td className="pl-4">{used ? countText(used.output) : ''}</td>
              <td className="pl-4">{used && (spentText(used) ?? words.model.unknown)}</td>
              <td className="pl-4">{cap === null ? '–' : costText(cap)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="mt-2 flex items-center gap-3 border-t border-line pt-1.5 text-2xs text-soft">
        <span className="flex-1">
          {usage.saved !== undefined && usage.cached > 0 ? spend.cacheSaved(costText(usage.saved)) : spend.noCache}
        </span>
        <Button
          look="quiet"
          onClick={() => {
            onClose();
            openOverlay({ kind: 'settings', section: 'models' });
          }}
        >
          {spend.changeCaps}
        </Button>
      </div>
    </div>
  );
}
