import { Eye, Link2, Radar } from 'lucide-react';
import { openOverlay } from '../../view/overlay.ts';
import { useConversationState } from '../../view/panelState.ts';
import { useWords } from '../../words/words.tsx';

/** No key yet: three ways on, none of which contacts anyone by itself. */
export function NoModel() {
  const words = useWords();
  const ways = [
    {
      icon: Radar,
      text: words.noModel.detect,
      run: () => openOverlay({ kind: 'settings', section: 'providers', start: 'detect' }),
    },
    {
      icon: Link2,
      text: words.noModel.paste,
      run: () => openOverlay({ kind: 'settings', section: 'providers', start: 'add' }),
    },
    { icon: Eye, text: words.noModel.without, run: () => useConversationState.setState({ withoutModel: true }) },
  ];
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-4 px-6">
      <div className="text-center">
        <h2 className="text-lg font-semibold">{words.noModel.title}</h2>
        <p className="mt-1 max-w-sm text-balance text-soft">{words.noModel.body}</p>
      </div>
      <ul className="flex w-full max-w-76 flex-col gap-1.5">
        {ways.map(({ icon: Icon, text, run }) => (
          <li key={text}>
            <button
              type="button"
              onClick={run}
              className="flex w-full items-center gap-2.5 rounded-md border border-line bg-raised px-3 py-2 text-left transition-colors hover:border-edge hover:bg-hover"
            >
              <Icon aria-hidden className="size-4 text-accent" />
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
