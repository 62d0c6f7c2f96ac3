import { useEffect, useState } from 'react';
import type { StorageUse } from '../../../shared/contract/storageApi.ts';
import { sizeWords } from '../../../shared/text/sizeWords.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { Age } from '../../parts/Age.tsx';
import { Button } from '../../parts/Button.tsx';
import { Field, NumberInput } from '../../parts/Field.tsx';
import { useWords } from '../../words/words.tsx';
import { useSettings } from './useSettings.ts';

/** As many as fit a page; the command line lists all. */
const shownSessions = 50;

/** What takes room in the state folder, by kind and by session, and the limits of it. */
export function StorageSettings() {
  const words = useWords().storage;
  const client = useClient();
  const [settings, change] = useSettings();
  const [use, setUse] = useState<StorageUse | null>(null);
  const [cleaning, setCleaning] = useState(false);
  const [freedBytes, setFreedBytes] = useState<number | null>(null);
  useEffect(() => {
    void valueOrToast(client.call('storage.read', {})).then((read) => setUse(read ?? null));
  }, [client]);
  const clean = async (): Promise<void> => {
    setCleaning(true);
    const cleaned = await valueOrToast(client.call('storage.clean', {}));
    setFreedBytes(cleaned?.freedBytes ?? null);
    const read = await valueOrToast(client.call('storage.read', {}));
    setUse(read ?? null);
    setCleaning(false);
  };
  const limit = (name: keyof typeof settings.storage, unit: string) => (
    <Field label={words.limits[name]}>
      {(id) => (
        <NumberInput
          id={id}
          value={settings.storage[name]}
          least={1}
          unit={unit}
          onSave={(value) => change((now) => ({ ...now, storage: { ...now.storage, [name]: value } }))}
        />
      )}
    </Field>
  );
  return (
    <>
      {limit('keepDays', words.days)}
      {limit('maxOutputMb', 'MB')}
      {limit('maxContentMb', 'MB')}
      <div className="mt-3 flex items-center justify-between gap-3">
        <p className="min-w-0 truncate text-soft" title={use?.folder}>
          {use ? words.total(sizeWords(use.totalBytes)) : words.reading}
          {freedBytes !== null && (
            <span role="status"> · {freedBytes > 0 ? words.freed(sizeWords(freedBytes)) : words.nothingFreed}</span>
          )}
        </p>
        <Button onClick={() => void clean()} disabled={use === null || cleaning}>
          {words.clean}
        </Button>
      </div>
      {use && (
        <>
          <Table
            head={[words.kind, words.size, words.newest]}
            rows={use.kinds.map(({ kind, sizeBytes, newestAt }) => ({
              id: kind,
              name: words.kinds[kind],
              sizeBytes,
              at: newestAt,
            }))}
          />
          <Table
            head={[words.session, words.size, words.newest]}
            rows={use.sessions
              .slice(0, shownSessions)
              .map(({ id, title, sizeBytes, updatedAt }) => ({ id, name: title || id, sizeBytes, at: updatedAt }))}
          />
        </>
      )}
    </>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly at: string | null;
}

function Table({ head, rows }: { readonly head: readonly [string, string, string]; readonly rows: readonly Row[] }) {
  return (
    <table className="mt-3 w-full table-fixed text-sm">
      <thead className="text-left text-xs text-soft">
        <tr>
          <th className="font-normal">{head[0]}</th>
          <th className="w-24 text-right font-normal">{head[1]}</th>
          <th className="w-28 pl-3 font-normal">{head[2]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, sizeBytes, at }) => (
          <tr key={id} className="border-t border-edge/40">
            <td className="truncate py-1" title={name}>
              {name}
            </td>
            <td className="text-right tabular-nums">{sizeWords(sizeBytes)}</td>
            <td className="pl-3 text-soft">{at && <Age at={at} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
