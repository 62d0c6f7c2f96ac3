import { Plus, Radar, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/api.ts';
import type { ProviderInfo } from '../../../shared/model/workbench.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { Button, IconButton } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { ProviderForm } from './ProviderForm.tsx';

type Found = OutputOf<'provider.detect'>['found'][number];

export function ProviderSettings({
  start,
  edit,
}: {
  readonly start?: 'detect' | 'add' | undefined;
  /** The name of a provider to edit at once. */
  readonly edit?: string | undefined;
}) {
  const words = useWords();
  const client = useClient();
  const providers = useWorkbench((workbench) => workbench.providers);
  const active = useWorkbench((workbench) => workbench.activeProvider);
  const [editing, setEditing] = useState<Partial<ProviderInfo> | null>(
    start === 'add' ? {} : (providers.find(({ name }) => name === edit) ?? null),
  );
  const [found, setFound] = useState<readonly Found[] | 'asking' | null>(null);

  const detect = useCallback(async (): Promise<void> => {
    setFound('asking');
    const answer = await valueOrToast(client.call('provider.detect', {}));
    setFound(answer?.found ?? null);
  }, [client]);
  useEffect(() => {
    if (start === 'detect') void detect();
  }, [start, detect]);

  const list = typeof found === 'string' ? null : found;
  if (editing) return <ProviderForm provider={editing} onDone={() => setEditing(null)} />;
  return (
    <div className="flex flex-col gap-2">
      {providers.length === 0 && <p className="text-soft">{words.settings.noProviders}</p>}
      <ul className="flex flex-col gap-1.5">
        {providers.map((provider) => (
          <li key={provider.name} className="flex items-center gap-2 rounded-md border border-line bg-raised px-3 py-2">
            <span
              aria-hidden
              className={cx('size-2 shrink-0 rounded-full', provider.usable ? 'bg-good' : 'border border-soft')}
            />
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">
                {provider.name} <span className="font-normal text-soft">{provider.model}</span>
              </p>
              <p className={cx('truncate text-xs', provider.problem ? 'text-warn' : 'text-soft')}>
                {provider.problem ?? provider.baseUrl}
              </p>
            </div>
            {provider.name === active ? (
              <span className="px-2 text-xs text-good">{words.settings.active}</span>
            ) : (
              <Button onClick={() => void valueOrToast(client.call('provider.activate', { name: provider.name }))}>
                {words.settings.activate}
              </Button>
            )}
            {provider.kind !== 'scripted' && (
              <>
                <Button look="quiet" onClick={() => setEditing(provider)}>
                  {words.settings.edit}
                </Button>
                <IconButton
                  label={`${words.settings.removeProvider}: ${provider.name}`}
                  onClick={() => void valueOrToast(client.call('provider.remove', { name: provider.name }))}
                >
                  <Trash2 />
                </IconButton>
              </>
            )}
          </li>
        ))}
      </ul>
      <div className="flex gap-2">
        <Button onClick={() => setEditing({})}>
          <Plus aria-hidden className="size-3.5" />
          {words.settings.addProvider}
        </Button>
        <Button disabled={found === 'asking'} onClick={() => void detect()}>
          <Radar aria-hidden className="size-3.5" />
          {words.settings.detect}
        </Button>
      </div>
      <OfferedKeys onUse={setEditing} />
      <div aria-live="polite">
        {found === 'asking' && <p className="text-soft">{words.settings.detecting}</p>}
        {list?.length === 0 && <p className="text-soft">{words.settings.detectNone}</p>}
        {list && (
          <ul className="flex flex-col gap-1.5">
            {list.map(({ name, baseUrl, models }) => (
              <li key={baseUrl} className="flex items-center gap-2 rounded-md border border-line px-3 py-2">
                <div className="min-w-0 flex-1">
                  <p className="font-medium">
                    {name} <span className="font-normal text-soft">{words.settings.detected(models.length)}</span>
                  </p>
                  <p className="truncate text-xs text-soft">{baseUrl}</p>
                </div>
                <Button onClick={() => setEditing({ name, baseUrl, model: models[0] ?? '' })}>
                  {words.settings.activate}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** Providers that are not set up yet, whose own variable with a key is set. */
function OfferedKeys({ onUse }: { readonly onUse: (provider: Partial<ProviderInfo>) => void }) {
  const words = useWords();
  const providers = useWorkbench((workbench) => workbench.providers);
  const variables = useAnswer('provider.variables', {})?.found ?? [];
  const offered = variables.filter(({ name }) => !providers.some((known) => known.name === name));
  if (offered.length === 0) return null;
  return (
    <>
      <h3 className="pt-1 text-xs font-medium text-soft">{words.keys.variables}</h3>
      <ul className="flex flex-col gap-1.5">
        {offered.map(({ name, label, variable, baseUrl }) => (
          <li key={name} className="flex items-center gap-2 rounded-md border border-line px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{label}</p>
              <p className="truncate text-xs text-soft">{variable}</p>
            </div>
            <Button onClick={() => onUse({ name, baseUrl, hasKey: true })}>{words.keys.useVariable(label)}</Button>
          </li>
        ))}
      </ul>
    </>
  );
}
