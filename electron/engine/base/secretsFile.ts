import { join } from 'node:path';
import { isRecord, readJsonFile, updateJsonFile } from './jsonFile.ts';

/** Where provider keys are kept: the system's keychain on the desktop, a 0600 file elsewhere (S5). Names are provider names. */
export interface Secrets {
  readonly place: { readonly kept: 'keychain' | 'file'; readonly path: string };
  get(name: string): string | undefined;
  set(name: string, key: string): void;
  delete(name: string): void;
}

/** Keys in `keys.json`, mode 0600, for hosts without a keychain. Kept apart from config.json, which people share. */
export function createSecretsFile(folder: string): Secrets {
  const path = join(folder, 'keys.json');
  const read = (): Readonly<Record<string, unknown>> => {
    const file = readJsonFile(path);
    return file.state === 'read' && isRecord(file.value) ? file.value : {};
  };
  return {
    place: { kept: 'file', path },
    get(name) {
      const keys = read();
      const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
      return typeof key === 'string' && key !== '' ? key : undefined;
    },
    set: (name, key) => void updateJsonFile(path, (keys) => ({ ...keys, [name]: key })),
    delete: (name) => void updateJsonFile(path, ({ [name]: _gone, ...rest }) => rest),
  };
}
