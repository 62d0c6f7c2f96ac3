import { Plus } from 'lucide-react';
import { useClient } from '../../client/client.ts';
import { newShell } from '../../commands/actions.ts';
import { useCommandKeys } from '../../commands/ownKeys.ts';
import { IconButton } from '../../parts/Button.tsx';
import { isMac, keysText } from '../../parts/keys.ts';
import { useWords } from '../../words/words.tsx';

/** The console while there is no task: a line, which leaves the room to what there is. */
export function ConsoleBar() {
  const words = useWords();
  return (
    <section
      aria-label={words.console.title}
      className="flex h-8 shrink-0 items-center gap-3 border-t border-line bg-panel pr-1.5 pl-3 text-xs"
    >
      <h2 className="font-semibold text-soft">{words.console.title}</h2>
      <span className="min-w-0 flex-1 truncate text-soft">{words.console.none}</span>
      <NewShellButton />
    </section>
  );
}

export function NewShellButton({ disabled = false }: { readonly disabled?: boolean }) {
  const words = useWords();
  const client = useClient();
  const keys = useCommandKeys('newShell');
  return (
    <IconButton
      label={words.console.shell}
      keys={keys ? keysText(keys, isMac) : ''}
      disabled={disabled}
      onClick={() => void newShell(client)}
    >
      <Plus />
    </IconButton>
  );
}
