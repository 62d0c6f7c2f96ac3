import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface RulesFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const names = ['AGENTS.md', 'PROJECT.md'] as const;
const maxBytes = 64 * 1024;

/**
 * The project's own words to an agent: AGENTS.md and PROJECT.md at its root. Read again only when a file's time or size
 * changes, so that a request costs two `stat` calls. Blank and undecodable files count as absent.
 */
export function createRulesFiles(root: string): () => Promise<readonly RulesFile[]> {
  const known = new Map<string, { stamp: string; file: RulesFile | undefined }>();
  return async () => {
    const found: RulesFile[] = [];
    for (const name of names) {
      const path = join(root, name);
      const info = await stat(path).catch(() => undefined);
      if (!info?.isFile()) {
        known.delete(name);
        continue;
      }
      const stamp = `${info.mtimeMs} ${info.size}`;
      let entry = known.get(name);
      if (entry?.stamp !== stamp) {
        entry = { stamp, file: await readRules(path, name) };
        known.set(name, entry);
      }
      if (entry.file) found.push(entry.file);
    }
    return found;
  };
}

async function readRules(path: string, name: string): Promise<RulesFile | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (!bytes) return undefined;
  try {
    // `stream` keeps a character that the limit cuts in two from counting as an error.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, maxBytes), { stream: true });
    if (text.trim() === '') return undefined;
    return { path: name, text: bytes.length > maxBytes ? `${text}\n(cut: only the first 64 KiB are read)` : text };
  } catch {
    return undefined;
  }
}
