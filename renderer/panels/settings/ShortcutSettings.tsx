import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../client/client.ts';
import { changeSettings } from '../../commands/actions.ts';
import type { Command } from '../../commands/command.ts';
import { commands } from '../../commands/commands.ts';
import { keysOf, keysTakenBy, withKeys } from '../../commands/ownKeys.ts';
import { IconButton } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { isMac, keysOfPress, keysText } from '../../parts/keys.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** Every command with its keys: a line is chosen, and the next press is its new keys unless another command has them. */
export function ShortcutSettings() {
  const words = useWords();
  const client = useClient();
  const own = useWorkbench(({ settings }) => settings.shortcuts);
  const [chosen, setChosen] = useState<string | null>(null);
  const [refused, setRefused] = useState('');

  const give = (command: Command, keys: string): void => {
    const taken = keys === '' ? undefined : keysTakenBy(keys, command.id, own, isMac);
    const shown = keysText(keys, isMac);
    setRefused(
      taken === undefined
        ? ''
        : taken === 'elsewhere'
          ? words.shortcuts.takenElsewhere(shown)
          : words.shortcuts.takenBy(shown, taken.label(words)),
    );
    if (taken !== undefined) return;
    changeSettings(client, (settings) => ({ ...settings, shortcuts: withKeys(settings.shortcuts, command, keys) }));
    setChosen(null);
  };

  return (
    <div className="flex flex-col gap-2">
      <p className="text-xs text-soft">{words.shortcuts.hint}</p>
      <p role="status" className="sticky top-0 min-h-5 bg-panel text-xs text-warn">
        {refused}
      </p>
      <ul aria-label={words.shortcuts.title}>
        {commands.map((command) => {
          const { id, label, keys: usual = '' } = command;
          const name = label(words);
          const keys = keysOf(command, own);
          const shown = keys === undefined ? words.shortcuts.none : keysText(keys, isMac);
          const isChosen = chosen === id;
          return (
            <li key={id} className="flex items-center gap-2 py-0.5">
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {own[id] !== undefined && (
                <IconButton label={words.shortcuts.usual(name)} onClick={() => give(command, usual)}>
                  <RotateCcw />
                </IconButton>
              )}
              <button
                type="button"
                aria-label={words.shortcuts.keysOf(name, isChosen ? words.shortcuts.press : shown)}
                aria-pressed={isChosen}
                onClick={() => {
                  setRefused('');
                  setChosen(isChosen ? null : id);
                }}
                onBlur={() => isChosen && setChosen(null)}
                onKeyDown={(event) => {
                  if (!isChosen) return;
                  const pressed =
                    event.key === 'Backspace' || event.key === 'Delete' ? '' : keysOfPress(event.nativeEvent, isMac);
                  if (pressed === undefined) return;
                  event.preventDefault();
                  give(command, pressed);
                }}
                className={cx(
                  'min-w-28 rounded-sm border px-1.5 py-0.5 text-center text-xs',
                  isChosen ? 'border-accent bg-chosen' : 'border-edge/70 bg-raised hover:bg-hover',
                  keys === undefined && !isChosen && 'text-soft',
                )}
              >
                {isChosen ? words.shortcuts.press : shown}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
