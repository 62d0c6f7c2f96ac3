import { useCallback, useEffect, useState } from 'react';
import { toast } from 'sonner';
import type { OutputOf } from '../../../shared/contract/api.ts';
import { ruleText } from '../../../shared/model/rule.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { projectAt } from '../../mirror/selectors.ts';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { useShown } from '../../view/shown.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

const tones = { allow: 'text-good', ask: 'text-warn', deny: 'text-bad' } as const;

/** Every standing answer in its exact words, each to be taken back. */
export function RuleSettings() {
  const words = useWords();
  const client = useClient();
  const project = useShown(({ project }) => project);
  const session = useShown(({ session }) => session);
  const name = useWorkbench((workbench) => projectAt(workbench, project)?.name ?? '');
  const [known, setKnown] = useState<OutputOf<'permission.rules'> | null>(null);
  const place = { project: project ?? undefined, session: session ?? undefined };

  const load = useCallback(async (): Promise<void> => {
    const answer = await valueOrToast(
      client.call('permission.rules', { project: project ?? undefined, session: session ?? undefined }),
    );
    if (answer) setKnown(answer);
  }, [client, project, session]);
  useEffect(() => void load(), [load]);

  const revoke = async (id: string): Promise<void> => {
    if (!(await valueOrToast(client.call('permission.revoke', { id, ...place })))) return;
    toast(words.settings.revoked);
    await load();
  };
  if (known === null) return <div className="skeleton h-16" />;
  return (
    <div className="flex flex-col gap-2">
      {name && <p className="text-soft">{words.settings.rulesOf(name)}</p>}
      {known.rules.length === 0 && <p className="text-soft">{words.settings.noRules}</p>}
      <ul className="flex flex-col gap-1.5">
        {known.rules.map((rule) => (
          <li key={rule.id} className="flex items-center gap-2 rounded-md border border-line bg-raised px-3 py-1.5">
            <div className="min-w-0 flex-1">
              <code className={cx('selectable font-mono text-xs break-all', tones[rule.effect])}>
                <VisibleText text={ruleText(rule)} />
              </code>
              <p className="text-2xs text-soft">
                {words.approval.scopes[rule.scope]}
                {rule.createdAt &&
                  ` · ${words.settings.since} ${new Date(rule.createdAt).toLocaleDateString(words.locale)}`}
              </p>
            </div>
            <Button onClick={() => void revoke(rule.id)}>{words.settings.revoke}</Button>
          </li>
        ))}
      </ul>
      {known.problems.length > 0 && (
        <section className="text-warn">
          <h3 className="text-xs font-medium">{words.settings.problems}</h3>
          <ul className="list-disc pl-4 text-xs">
            {known.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
