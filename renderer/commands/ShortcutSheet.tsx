import { slashCommandsIn, usageOf } from '../../shared/text/slashCommands.ts';
import { isMac, keysText } from '../parts/keys.ts';
import { Modal } from '../parts/Modal.tsx';
import { closeOverlay } from '../view/overlay.ts';
import { useWords } from '../words/words.tsx';
import { commands } from './commands.ts';

export function ShortcutSheet() {
  const words = useWords();
  return (
    <Modal title={words.shortcuts.title} onClose={closeOverlay}>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1">
        {commands
          .filter(({ keys }) => keys !== undefined)
          .map(({ id, label, keys = '' }) => (
            <div key={id} className="contents">
              <dt className="py-0.5">{label(words)}</dt>
              <dd className="flex items-center justify-end text-soft">
                <kbd className="rounded-sm border border-edge/70 bg-raised px-1.5 font-sans text-xs text-ink">
                  {keysText(keys, isMac)}
                </kbd>
              </dd>
            </div>
          ))}
      </dl>
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
