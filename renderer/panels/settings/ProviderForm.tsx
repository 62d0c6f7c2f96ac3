import { type FormEvent, useState } from 'react';
import type { ProviderInfo } from '../../../shared/model/workbench.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { Button } from '../../parts/Button.tsx';
import { Field, TextInput } from '../../parts/Field.tsx';
import { useWords } from '../../words/words.tsx';

/** The name that a base URL suggests: its host without the common parts. */
export function nameFrom(baseUrl: string): string {
  const host = /^https?:\/\/([^/:?#]+)/i.exec(baseUrl.trim())?.[1] ?? '';
  if (/^(localhost|127\.|\[?::1)/.test(host)) return 'local';
  return (host.replace(/^(www|api)\./, '').split('.')[0] ?? '').slice(0, 60);
}

export function ProviderForm({
  provider,
  onDone,
}: {
  readonly provider: Partial<ProviderInfo>;
  readonly onDone: () => void;
}) {
  const words = useWords();
  const client = useClient();
  const [name, setName] = useState(provider.name ?? '');
  const [baseUrl, setBaseUrl] = useState(provider.baseUrl ?? '');
  const [model, setModel] = useState(provider.model ?? '');
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const finalName = name.trim() || nameFrom(baseUrl);

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const saved = await valueOrToast(
      client.call('provider.save', {
        name: finalName,
        kind: provider.kind === 'mattermost' ? 'mattermost' : 'openai_compatible',
        baseUrl: baseUrl.trim(),
        model: model.trim() || undefined,
        key: key || undefined,
        activate: true,
      }),
    );
    setBusy(false);
    if (saved) onDone();
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <Field label={words.settings.baseUrl}>
        {(id) => (
          <TextInput
            id={id}
            type="url"
            required
            placeholder="https://api.example.com/v1"
            value={baseUrl}
            onChange={(event) => setBaseUrl(event.target.value)}
          />
        )}
      </Field>
      <Field label={words.settings.model}>
        {(id) => <TextInput id={id} value={model} onChange={(event) => setModel(event.target.value)} />}
      </Field>
      <Field label={words.settings.key} note={words.settings.keyNote}>
        {(id) => (
          <TextInput
            id={id}
            type="password"
            autoComplete="off"
            placeholder={provider.hasKey ? words.settings.keyKept : ''}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      <Field label={words.settings.name}>
        {(id) => (
          <TextInput
            id={id}
            maxLength={60}
            disabled={provider.name !== undefined && provider.kind !== undefined}
            placeholder={nameFrom(baseUrl)}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <div className="mt-3 flex justify-end gap-2">
        <Button onClick={onDone}>{words.common.back}</Button>
        <Button type="submit" look="primary" disabled={busy || finalName === '' || baseUrl.trim() === ''}>
          {words.common.save}
        </Button>
      </div>
    </form>
  );
}
