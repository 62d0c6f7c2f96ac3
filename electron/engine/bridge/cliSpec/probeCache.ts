import { readFileSync } from 'node:fs';
import { writeFileAtomic } from '../../base/atomicFile.ts';
import { parseJson } from '../../base/boundedJson.ts';

/** What was learnt by starting binaries, by what would change the answer. */
export interface ProbeCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /** Writes what is new. A folder that cannot be written costs time at the next start, nothing else. */
  save(): void;
}

const maxEntries = 2_000;

export function memoryProbeCache(): ProbeCache {
  const entries = new Map<string, string>();
  return { get: (key) => entries.get(key), set: (key, value) => entries.set(key, value), save: () => undefined };
}

/** A cache in a JSON file; a file that is missing or broken is an empty cache. */
export function fileProbeCache(path: string): ProbeCache {
  const entries = readEntries(path);
  let changed = false;
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key); // the newest stand last and are kept
      entries.set(key, value);
      changed = true;
    },
    save() {
      if (!changed) return;
      changed = false;
      try {
        writeFileAtomic(path, JSON.stringify(Object.fromEntries([...entries].slice(-maxEntries))));
      } catch {
        // see the contract
      }
    },
  };
}

function readEntries(path: string): Map<string, string> {
  try {
    const parsed = parseJson(readFileSync(path, 'utf8'));
    if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return new Map();
    return new Map(
      Object.entries(parsed.value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return new Map();
  }
}
