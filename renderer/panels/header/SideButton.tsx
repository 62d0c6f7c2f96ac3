import { PanelRight } from 'lucide-react';
import { useCommandKeys } from '../../commands/ownKeys.ts';
import { IconButton } from '../../parts/Button.tsx';
import { isMac, keysText } from '../../parts/keys.ts';
import { toggleRight } from '../../view/layout.ts';
import { useShowsRight } from '../../view/useShowsRight.ts';
import { useWords } from '../../words/words.tsx';

/** Opens and closes the right side. */
export function SideButton() {
  const { commands } = useWords();
  const isShown = useShowsRight();
  const keys = useCommandKeys('toggleRight');
  return (
    <IconButton
      label={commands.toggleRight}
      keys={keys ? keysText(keys, isMac) : ''}
      aria-pressed={isShown}
      className="max-[899px]:hidden"
      onClick={() => toggleRight(isShown)}
    >
      <PanelRight />
    </IconButton>
  );
}
