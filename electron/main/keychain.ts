import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { safeStorage } from 'electron';
import { withLock } from '../engine/base/fileLock.ts';
import { isRecord, readJsonFile, writeJsonFile } from '../engine/base/jsonFile.ts';
import type { Log } from '../engine/base/log.ts';
import { createSecretsFile, type Secrets } from '../engine/base/secretsFile.ts';

/** A keychain that asks for its password waits for a person; the window does not wait for that. */
const limitMs = 2_000;

/**
 * Provider keys, sealed by the system's keychain where there is one (S5); else in a file that only its owner may read.
 * All are unsealed once, beside the load of the page, and then known in memory: nothing here blocks the main process.
 * What the command line has put into its own file is found too; what is set here lies in the keychain alone.
 */
export async function openKeys(folder: string, log: Log): Promise<Secrets> {
  const file = createSecretsFile(folder);
  if (!(await hasKeychain())) return file;
  const path = join(folder, 'keys.sealed.json');
  const known = new Map<string, string>();
  const sealed = (): Readonly<Record<string, unknown>> => {
    const read = readJsonFile(path);
    if (read.state === 'broken') log.warn('sealed keys cannot be read', read.why);
    return read.state === 'read' && isRecord(read.value) ? read.value : {};
  };
  const unseal = async (): Promise<void> => {
    for (const [name, value] of Object.entries(sealed())) {
      if (typeof value !== 'string') continue;
      try {
        const { result } = await safeStorage.decryptStringAsync(Buffer.from(value, 'base64'));
        if (!known.has(name)) known.set(name, result);
      } catch (error) {
        // Sealed by another account, or its keychain is gone: as if it were not there, and nothing is written over.
        log.warn(`the key of "${name}" cannot be unsealed`, error);
      }
    }
  };
  const limit = new AbortController();
  await Promise.race([unseal(), delay(limitMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
  limit.abort();
  /** One after the other: each reads the file that the one before it has written. */
  let writing = Promise.resolve();
  const write = (change: () => Promise<Readonly<Record<string, unknown>>>): void => {
    writing = writing
      .then(() => withLock(`${path}.lock`, async () => writeJsonFile(path, await change())))
      .catch((error: unknown) => log.warn('a key could not be sealed; it is known until Vise ends', error));
  };
  return {
    place: { kept: 'keychain', path },
    get: (name) => known.get(name) ?? file.get(name),
    set(name, key) {
      known.set(name, key);
      if (file.get(name) !== undefined) file.delete(name);
      write(async () => ({ ...sealed(), [name]: (await safeStorage.encryptStringAsync(key)).toString('base64') }));
    },
    delete(name) {
      known.delete(name);
      file.delete(name);
      write(async () => Object.fromEntries(Object.entries(sealed()).filter(([other]) => other !== name)));
    },
  };
}

/** Linux without a keyring seals with a word that everybody knows: that is no keychain. */
async function hasKeychain(): Promise<boolean> {
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return false;
  return safeStorage.isAsyncEncryptionAvailable().catch(() => false);
}
