import { useState } from 'react';
import type { InputOf } from '../../../shared/contract/api.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { useNow } from '../../parts/useNow.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { openOverlay } from '../../view/overlay.ts';
import { useShown } from '../../view/shown.ts';
import { useWords } from '../../words/words.tsx';
import { ServerCard } from './ServerCard.tsx';

type Act = 'server.restart' | 'server.signOut';

/** The MCP servers that hold in the project. They change at their own pace: they are looked at each second while they are shown. */
export function ServerSettings() {
  const { servers: words, said } = useWords();
  const client = useClient();
  const project = useShown(({ project }) => project);
  const [acts, setActs] = useState(0);
  const now = useNow();
  const known = useAnswer('server.list', project === null ? null : { project }, { again: `${now} ${acts}` });
  if (project === null) return <p className="text-soft">{words.noProject}</p>;

  const act = async (method: Act, input: InputOf<Act>): Promise<void> => {
    await valueOrToast(client.call(method, input));
    setActs((count) => count + 1);
  };
  const switchTo = async (name: string, on: boolean): Promise<void> => {
    await valueOrToast(client.call('server.switch', { project, name, on }));
    setActs((count) => count + 1);
  };
  const signIn = async (name: string): Promise<void> => {
    const begun = await valueOrToast(client.call('server.signIn', { project, name }));
    if (begun) openPage(begun.page);
    setActs((count) => count + 1);
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">{words.intro}</p>
      {known === null && <div className="skeleton h-16" />}
      {known?.servers.length === 0 && <p className="text-soft">{words.none}</p>}
      <ul className="flex flex-col gap-2">
        {known?.servers.map((server) => (
          <ServerCard
            key={`${server.origin} ${server.name}`}
            server={server}
            project={project}
            onSignIn={() => void signIn(server.name)}
            onSignOut={() => void act('server.signOut', { project, name: server.name })}
            onRestart={() => void act('server.restart', { project, name: server.name })}
            onSwitch={(on) => void switchTo(server.name, on)}
            onTrust={() => openOverlay({ kind: 'trust', path: project })}
            onPage={openPage}
          />
        ))}
      </ul>
      {known && known.faults.length > 0 && (
        <section className="text-warn">
          <h3 className="text-xs font-medium">{words.faults}</h3>
          <ul className="list-disc pl-4 text-xs">
            {known.faults.map((fault) => (
              <li key={fault} className="break-words">
                <VisibleText text={said(fault)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** The person has asked for it by a click; the engine lets only encrypted pages and those of this computer through. */
function openPage(page: string): void {
  if (/^https?:/i.test(page)) window.open(page, '_blank', 'noopener,noreferrer');
}
