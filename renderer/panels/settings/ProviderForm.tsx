import { type FormEvent, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/api.ts';
import type { ProviderInfo } from '../../../shared/model/workbench.ts';
import { countText } from '../../../shared/text/amounts.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { Button } from '../../parts/Button.tsx';
import { Field, TextInput } from '../../parts/Field.tsx';
import { factsText } from '../../parts/model/modelText.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

type Tried = OutputOf<'provider.test'>;

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
  const [tried, setTried] = useState<Tried | 'asking' | null>(null);
  const keys = useWorkbench((workbench) => workbench.keys);
  const finalName = name.trim() || nameFrom(baseUrl);
  const listed = tried === null || tried === 'asking' ? [] : tried.models;
  const known = useAnswer('provider.models', provider.kind && listed.length === 0 ? { name: finalName } : null);
  const models = listed.length > 0 ? listed : (known?.models ?? []);

  const test = async (): Promise<void> => {
    setTried('asking');
    const typed = { name: finalName, baseUrl: baseUrl.trim(), model: model.trim() || undefined, key: key || undefined };
    setTried((await valueOrToast(client.call('provider.test', typed))) ?? null);
  };

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
        {(id) => <ModelInput id={id} value={model} models={models} onChange={setModel} />}
      </Field>
      <Field
        label={words.settings.key}
        note={keys.kept === 'keychain' ? words.keys.inKeychain : words.keys.inFile(keys.path)}
      >
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
      <div aria-live="polite" className="min-h-5 pt-1 text-xs">
        {tried === 'asking' && <p className="text-soft">{words.keys.testing}</p>}
        {tried !== null && tried !== 'asking' && <TestResult tried={tried} model={model} />}
      </div>
      <div className="mt-2 flex justify-end gap-2">
        <Button
          className="mr-auto"
          disabled={tried === 'asking' || finalName === '' || baseUrl.trim() === ''}
          onClick={() => void test()}
        >
          {words.keys.test}
        </Button>
        <Button onClick={onDone}>{words.common.back}</Button>
        <Button type="submit" look="primary" disabled={busy || finalName === '' || baseUrl.trim() === ''}>
          {words.common.save}
        </Button>
      </div>
    </form>
  );
}

/** What the provider answered, in a sentence or two. */
function TestResult({ tried, model }: { readonly tried: Tried; readonly model: string }) {
  const { keys } = useWords();
  if (tried.problem)
    return (
      <p role="alert" className="text-bad">
        {tried.problem.message}
      </p>
    );
  const { input, output } = tried.usage;
  return (
    <p className={tried.answer === null ? 'text-soft' : 'text-good'}>
      {[
        tried.answer === null ? keys.noModel : keys.answered(model, tried.answer, tried.elapsedMs),
        tried.models.length > 0 ? keys.listed(tried.models.length) : keys.noneListed,
        input + output > 0 ? keys.cost(countText(input + output)) : '',
      ]
        .filter(Boolean)
        .join(' ')}
    </p>
  );
}

/** The name of a model, with those to choose from by window and price. */
function ModelInput({
  id,
  value,
  models,
  onChange,
}: {
  readonly id: string;
  readonly value: string;
  readonly models: Tried['models'];
  readonly onChange: (model: string) => void;
}) {
  const words = useWords();
  return (
    <>
      <TextInput id={id} list={`${id}-models`} value={value} onChange={(event) => onChange(event.target.value)} />
      <datalist id={`${id}-models`}>
        {models.map((one) => (
          <option key={one.name} value={one.name}>
            {factsText(one, words)}
          </option>
        ))}
      </datalist>
    </>
  );
}
