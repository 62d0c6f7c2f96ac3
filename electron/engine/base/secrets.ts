import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../../../shared/result.ts';
import { withLockSync } from './fileLock.ts';
import { isRecord, readJsonFile, updateJsonFile } from './jsonFile.ts';
import type { Keychain } from './keychain.ts';

/** Where provider keys are kept, the same for window and command line (S5). Names are provider names. */
export interface Secrets {
  /** Where a key that is given now is kept: the system's keychain, or a file that only its owner can read. */
  readonly place: { readonly kept: 'keychain' | 'file'; readonly path: string };
  get(name: string): string | undefined;
  /** Why a key that is kept cannot be had now, in words with the remedy; undefined where none is missing. */
  problem(name: string): string | undefined;
  /** Throws the system's error. */
  set(name: string, key: string): void;
  delete(name: string): void;
}

type Keys = Readonly<Record<string, unknown>>;

/** What lies beside the entry of the keychain, so that nobody asks it in vain: never a key that can be read. */
interface Note {
  readonly names: readonly string[];
  /** Another one with each change: what was read before does not count then. */
  readonly changed: string;
  readonly kept: string;
}

/** A keychain that could not be read is asked again after this, ms. */
const retryMs = 10_000;

/**
 * Keys in the system's keychain where this machine has one that works, else in `keys.json` (mode 0600), apart from
 * config.json, which people share. A key in the file comes first: it was given where the keychain could not be reached,
 * or by hand. The keychain is asked when a key of it is first needed, at once or by `open` beforehand.
 */
export function createSecrets(folder: string, keychain?: Keychain): Secrets & { open(): Promise<void> } {
  const path = join(folder, 'keys.json');
  const notePath = join(folder, 'keychain.json');
  const file = createStampedFile(path);
  const noteFile = createStampedFile(notePath);
  let found: { readonly changed: string; readonly keys: Result<Keys>; readonly atMs: number } | undefined;
  let opening = false;
  let refusedBy = '';

  const note = (): Note | undefined => noteOf(noteFile());
  const unlocked = (): Result<Keys> => {
    const now = note();
    if (!now || !keychain || opening) return ok({});
    if (found?.changed !== now.changed)
      found = { changed: now.changed, keys: parsed(keychain.read(now.kept)), atMs: Date.now() };
    // Whoever unlocks it meanwhile is not made to start anew.
    if (!found.keys.ok && Date.now() - found.atMs > retryMs) void open();
    return found.keys;
  };
  const isLocked = (name: string): boolean =>
    textOf(file(), name) === undefined && note()?.names.includes(name) === true;
  /** All keys of the keychain as they shall be; false where it does not take them. */
  const write = (change: (keys: Keys) => Keys): boolean =>
    keychain !== undefined && withLockSync(join(folder, 'keychain.lock'), () => writeTo(keychain, change));
  const writeTo = (chain: Keychain, change: (keys: Keys) => Keys): boolean => {
    const before = unlocked();
    // What cannot be read is not written over.
    if (!before.ok || opening) return false;
    const keys = change(before.value);
    const text = Buffer.from(JSON.stringify(keys)).toString('base64');
    const kept = chain.write(text);
    // Some say yes and keep nothing.
    const again = kept.ok ? chain.read(kept.value) : kept;
    if (!kept.ok || !again.ok || again.value !== text) {
      refusedBy = again.ok ? 'it does not keep what it is given' : again.error.message;
      return false;
    }
    const changed = `${Date.now()} ${process.pid}`;
    updateJsonFile(notePath, () => ({ names: Object.keys(keys), changed, kept: kept.value }));
    found = { changed, keys: ok(keys), atMs: Date.now() };
    return true;
  };
  const open = async (): Promise<void> => {
    const now = note();
    if (opening || !now || !keychain || now.names.length === 0) return;
    opening = true;
    const keys = parsed(await keychain.readLater(now.kept));
    opening = false;
    found = { changed: now.changed, keys, atMs: Date.now() };
  };
  const without =
    (name: string) =>
    ({ [name]: _gone, ...rest }: Keys): Keys =>
      rest;

  return {
    get place(): Secrets['place'] {
      return keychain && refusedBy === '' ? { kept: 'keychain', path: notePath } : { kept: 'file', path };
    },
    get(name) {
      const own = textOf(file(), name);
      if (own !== undefined || !isLocked(name)) return own;
      const keys = unlocked();
      return keys.ok ? textOf(keys.value, name) : undefined;
    },
    problem(name) {
      if (!isLocked(name)) return undefined;
      const keys = unlocked();
      if (keychain && keys.ok && textOf(keys.value, name) !== undefined) return undefined;
      const why = keys.ok ? 'it is not reached from here' : keys.error.message;
      return `The key of ${name} lies in this computer's keychain (${why}). Unlock it, or give the key in a variable, or again with "vise config --provider ${name} --api-key-stdin".`;
    },
    set(name, key) {
      if (write((keys) => ({ ...keys, [name]: key }))) {
        if (file()[name] !== undefined) updateJsonFile(path, without(name));
      } else updateJsonFile(path, (keys) => ({ ...keys, [name]: key }));
    },
    delete(name) {
      if (file()[name] !== undefined) updateJsonFile(path, without(name));
      if (note()?.names.includes(name) && !write(without(name)))
        // It stays in a keychain that cannot be reached, and nobody asks for it any more.
        updateJsonFile(notePath, (given) => ({
          ...given,
          names: (noteOf(given)?.names ?? []).filter((one) => one !== name),
        }));
    },
    open,
  };
}

function parsed(read: Result<string>): Result<Keys> {
  if (!read.ok) return read;
  try {
    const keys: unknown = JSON.parse(Buffer.from(read.value, 'base64').toString());
    return ok(isRecord(keys) ? keys : {});
  } catch {
    return ok({}); // an entry that is not ours: as if it were not there
  }
}

function noteOf(value: Keys): Note | undefined {
  const { names, changed, kept } = value;
  if (!Array.isArray(names) || typeof changed !== 'string' || typeof kept !== 'string') return undefined;
  return { names: names.filter((name) => typeof name === 'string'), changed, kept };
}

function textOf(keys: Keys, name: string): string | undefined {
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** The object in a file, read again when the file is another one; empty where there is none. */
function createStampedFile(path: string): () => Keys {
  let stamp = '';
  let value: Keys = {};
  return () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    const now = stats === undefined ? 'none' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    if (now !== stamp) {
      const file = readJsonFile(path);
      value = file.state === 'read' && isRecord(file.value) ? file.value : {};
      stamp = now;
    }
    return value;
  };
}
