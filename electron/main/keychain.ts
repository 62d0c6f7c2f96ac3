import { join } from 'node:path';
import { safeStorage } from 'electron';
import { isRecord, readJsonFile, writeJsonFile } from '../engine/base/jsonFile.ts';
import type { Secrets } from '../engine/base/secretsFile.ts';

/** Provider keys encrypted by the system's keychain (S5); what is on the disk is of no use elsewhere. */
export function createKeychain(folder: string): Secrets | undefined {
  if (!safeStorage.isEncryptionAvailable()) return undefined;
  const path = join(folder, 'keys.sealed.json');
  const read = (): Readonly<Record<string, unknown>> => {
    const file = readJsonFile(path);
    return file.state === 'read' && isRecord(file.value) ? file.value : {};
  };
  return {
    get(name) {
      const keys = read();
      const sealed = Object.hasOwn(keys, name) ? keys[name] : undefined;
      if (typeof sealed !== 'string') return undefined;
      try {
        return safeStorage.decryptString(Buffer.from(sealed, 'base64'));
      } catch {
        return undefined; // sealed by another account or a keychain that is gone: as if it were not there
      }
    },
    set: (name, key) => writeJsonFile(path, { ...read(), [name]: safeStorage.encryptString(key).toString('base64') }),
    delete(name) {
      const { [name]: _gone, ...rest } = read();
      writeJsonFile(path, rest);
    },
  };
}
