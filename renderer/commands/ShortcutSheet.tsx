import { slashCommandsIn, usageOf } from '../../shared/text/slashCommands.ts';
import { Button } from '../parts/Button.tsx';
import { isMac, keysText } from '../parts/keys.ts';
import { Modal } from '../parts/Modal.tsx';
import { closeOverlay, openOverlay } from '../view/overlay.ts';
import { useWorkbench } from '../view/useSession.ts';
import { useWords } from '../words/words.tsx';
import { commands } from './commands.ts';
import { keysOf } from './ownKeys.ts';

export function ShortcutSheet() {
  const words = useWords();
  const own = useWorkbench(({ settings }) => settings.shortcuts);
  return (
    <Modal title={words.shortcuts.title} onClose={closeOverlay}>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1">
        {commands.map((command) => {
          const keys = keysOf(command, own);
          return (
            keys !== undefined && (
              <div key={command.id} className="contents">
                <dt className="py-0.5">{command.label(words)}</dt>
                <dd className="flex items-center justify-end text-soft">
                  <kbd className="rounded-sm border border-edge/70 bg-raised px-1.5 font-sans text-xs text-ink">
                    {keysText(keys, isMac)}
                  </kbd>
                </dd>
              </div>
            )
          );
        })}
      </dl>
      <Button look="quiet" className="mt-2" onClick={() => openOverlay({ kind: 'settings', section: 'shortcuts' })}>
        {words.shortcuts.change}
      </Button>
      <h3 className="mt-4 mb-1 text-xs font-semibold text-soft">{words.composer.commands}</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1">
        {slashCommandsIn('window').map((command) => (
          <div key={command.name} className="contents">
            <dt className="py-0.5">{words.slash[command.name]}</dt>
            <dd className="flex items-center justify-end text-soft">
              <code className="font-mono text-xs">{usageOf(command)}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-xs text-soft">{words.composer.hint}</p>
    </Modal>
  );
}
