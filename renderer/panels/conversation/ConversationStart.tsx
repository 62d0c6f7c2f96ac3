import { projectAt, usableProvider } from '../../mirror/selectors.ts';
import { useConversationState } from '../../view/panelState.ts';
import { suggest } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { NoModel } from './NoModel.tsx';

/** Before the first message: what can be asked, or how to get a model. */
export function ConversationStart() {
  const words = useWords();
  const usable = useWorkbench(usableProvider);
  const path = useShown(({ project }) => project);
  const isSample = useWorkbench((workbench) => projectAt(workbench, path)?.sample === true);
  const looking = useConversationState(({ withoutModel }) => withoutModel);
  if (!usable && !isSample && !looking) return <NoModel />;
  return (
    <div className="flex flex-1 flex-col items-center justify-center-safe gap-4 overflow-y-auto py-3 px-6 text-center">
      <div>
        <h2 className="text-lg font-semibold">{words.talk.emptyTitle}</h2>
        <p className="mt-1 max-w-sm text-balance text-soft">{words.talk.emptyBody}</p>
      </div>
      <ul aria-label={words.talk.examples} className="flex flex-col gap-1.5">
        {[words.talk.example1, words.talk.example2, words.talk.example3].map((example) => (
          <li key={example}>
            <button
              type="button"
              className="w-full rounded-md border border-line bg-raised px-3 py-1.5 text-left text-sm text-soft transition-colors hover:border-edge hover:text-ink"
              onClick={() => suggest(example)}
            >
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
