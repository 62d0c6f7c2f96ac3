import { ArrowUp } from 'lucide-react';
import { projectAt, usableProvider } from '../../mirror/selectors.ts';
import { Tip } from '../../parts/Tip.tsx';
import { openOverlay } from '../../view/overlay.ts';
import { useShown } from '../../view/shown.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { ContextMeter } from './ContextMeter.tsx';
import { EffortMenu } from './EffortMenu.tsx';

interface ComposerFootProps {
  readonly isBusy: boolean;
  /** Absent: there is nothing to send. */
  readonly onSend: (() => void) | undefined;
}

/** The line below the field: how full the context is, what the keys do or what is missing, and the button. */
export function ComposerFoot({ isBusy, onSend }: ComposerFootProps) {
  const { composer } = useWords();
  const project = useShown((shown) => shown.project);
  const hasModel = useWorkbench(
    (workbench) => usableProvider(workbench) || projectAt(workbench, project)?.sample === true,
  );
  const sendLabel = isBusy ? composer.queue : composer.send;
  return (
    <div className="flex h-9 items-center gap-3 pr-1.5 pb-1 pl-3.5">
      <ContextMeter />
      <EffortMenu />
      {hasModel ? (
        <span className="min-w-0 flex-1 truncate text-2xs text-soft">{composer.hint}</span>
      ) : (
        <span className="flex min-w-0 flex-1 items-center gap-1.5 truncate text-2xs text-warn">
          {composer.noModel}
          <button
            type="button"
            className="underline underline-offset-2"
            onClick={() => openOverlay({ kind: 'settings', section: 'providers' })}
          >
            {composer.setUp}
          </button>
        </span>
      )}
      <Tip text={sendLabel} keys="⏎" side="top">
        <button
          type="button"
          aria-label={sendLabel}
          disabled={!onSend}
          onClick={onSend}
          className="flex size-6.5 items-center justify-center rounded-lg bg-accent-fill text-on-accent transition-opacity disabled:opacity-35"
        >
          <ArrowUp aria-hidden className="size-4" />
        </button>
      </Tip>
    </div>
  );
}
