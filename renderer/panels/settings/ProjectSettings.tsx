import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/api.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { projectAt } from '../../mirror/selectors.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { useShown } from '../../view/shown.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** What the open project narrows of the settings above, and what of its file does not count. Nothing where it has none. */
export function ProjectSettings() {
  const words = useWords();
  const client = useClient();
  const project = useShown(({ project }) => project);
  const settings = useWorkbench((workbench) => workbench.settings);
  const name = useWorkbench((workbench) => projectAt(workbench, project)?.name ?? '');
  const [known, setKnown] = useState<OutputOf<'settings.project'> | null>(null);
  useEffect(() => {
    let wanted = true;
    if (project === null) setKnown(null);
    else
      void valueOrToast(client.call('settings.project', { project })).then((answer) => {
        if (wanted && answer) setKnown(answer);
      });
    return () => {
      wanted = false;
    };
  }, [client, project, settings]);
  if (known === null || known.state === 'none') return null;
  const narrows = Object.entries(known.narrows);
  return (
    <section className="mt-2 rounded-md border border-line bg-raised px-3 py-2">
      <h3 className="text-xs font-medium">{words.settings.narrowedBy(name)}</h3>
      {narrows.length > 0 && (
        <ul className="mt-1 flex flex-col gap-0.5">
          {narrows.map(([setting, value]) => (
            <li key={setting}>
              <code className="selectable font-mono text-xs break-all">
                <VisibleText text={`${setting}: ${JSON.stringify(value)}`} />
              </code>
            </li>
          ))}
        </ul>
      )}
      {known.notices.length > 0 && (
        <ul className="mt-1 list-disc pl-4 text-xs text-warn">
          {known.notices.map((notice) => (
            <li key={notice} className="break-words">
              <VisibleText text={notice} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
