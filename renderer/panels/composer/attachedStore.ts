import type { Attached } from './attachments.ts';

/** A draft's attachments as the page's own database keeps them: pictures are too large for what keeps its text. */
const database = 'vise';
const table = 'attached';

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The database of the page cannot be opened.'));
  });
}

async function inTable(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => Pick<IDBRequest<unknown>, 'result'>,
): Promise<unknown> {
  const opened = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = opened.transaction(table, mode);
      const request = act(transaction.objectStore(table));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('The attachments could not be kept.'));
    });
  } finally {
    opened.close();
  }
}

/** What was kept; nothing where the browser keeps nothing (a private window). */
export async function readAttached(key: string): Promise<readonly Attached[]> {
  try {
    const found: unknown = await inTable('readonly', (store) => store.get(key));
    return Array.isArray(found) ? found.filter(isAttached) : [];
  } catch {
    return [];
  }
}

/** Without room they are lost with the page, as everything is that was not sent. */
export async function keepAttached(key: string, list: readonly Attached[]): Promise<void> {
  try {
    await inTable('readwrite', (store) => (list.length === 0 ? store.delete(key) : store.put([...list], key)));
  } catch {
    // They are still in the page.
  }
}

function isAttached(value: unknown): value is Attached {
  if (typeof value !== 'object' || value === null) return false;
  const { id, kind, name, file }: Partial<Record<keyof Attached, unknown>> = value;
  return (
    typeof id === 'string' && (kind === 'image' || kind === 'text') && typeof name === 'string' && file instanceof Blob
  );
}
