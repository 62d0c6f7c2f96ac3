import { Plus, RotateCw } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { SpecList, SpecView } from '../../../shared/contract/specApi.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { Button } from '../../parts/Button.tsx';
import { useShown } from '../../view/shown.ts';
import { useWords } from '../../words/words.tsx';
import { SpecCard } from './SpecCard.tsx';
import { SpecRegister } from './SpecRegister.tsx';

/** Every spec that holds in the project: where it comes from, what it can do, and whether it may. */
export function SpecSettings({ program }: { readonly program?: string | undefined }) {
  const { specs: words, said } = useWords();
  const client = useClient();
  const project = useShown(({ project }) => project);
  const [known, setKnown] = useState<SpecList | null>(null);
  const [busy, setBusy] = useState(false);
  const [registering, setRegistering] = useState(program !== undefined);

  const load = useCallback(
    async (method: 'spec.list' | 'spec.refresh' = 'spec.list'): Promise<void> => {
      if (project === null) return;
      setBusy(true);
      const answer = await valueOrToast(client.call(method, { project }));
      setBusy(false);
      if (answer) setKnown(answer);
    },
    [client, project],
  );
  useEffect(() => void load(), [load]);

  if (project === null) return <p className="text-soft">{words.noProject}</p>;
  if (registering)
    return (
      <SpecRegister
        project={project}
        program={program ?? ''}
        onDone={() => {
          setRegistering(false);
          void load();
        }}
      />
    );
  const trust = async ({ name, hash }: SpecView, trusted: boolean): Promise<void> => {
    await valueOrToast(client.call('spec.trust', { project, name, hash, trusted }));
    await load();
  };
  const setLevel = async ({ name }: SpecView, level: SpecView['level'] | null): Promise<void> => {
    await valueOrToast(client.call('spec.level', { name, level: level ?? null }));
    await load();
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">{words.intro}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setRegistering(true)}>
          <Plus aria-hidden className="size-3.5" />
          {words.register}
        </Button>
        <Button disabled={busy} onClick={() => void load('spec.refresh')}>
          <RotateCw aria-hidden className={busy ? 'size-3.5 animate-spin' : 'size-3.5'} />
          {words.refresh}
        </Button>
      </div>
      {known === null && <div className="skeleton h-16" />}
      {known?.specs.length === 0 && <p className="text-soft">{words.none}</p>}
      <ul className="flex flex-col gap-2">
        {known?.specs.map((spec) => (
          <SpecCard
            key={`${spec.source} ${spec.name}`}
            spec={spec}
            busy={busy}
            onTrust={(trusted) => void trust(spec, trusted)}
            onLevel={(level) => void setLevel(spec, level)}
          />
        ))}
      </ul>
      {known && known.errors.length > 0 && (
        <section className="text-warn">
          <h3 className="text-xs font-medium">{words.errors}</h3>
          <ul className="list-disc pl-4 text-xs">
            {known.errors.map(({ path, message }) => (
              <li key={`${path} ${message}`} className="break-words">
                <code className="selectable font-mono text-2xs break-all">{path}</code>: {said(message)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
