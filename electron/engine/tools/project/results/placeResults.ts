import { posix } from 'node:path';
import type { Look } from '../../frame/tool.ts';

/** Names without a folder that are looked for in the project: each costs a walk. */
const maxSearches = 10;

interface Placed {
  readonly file?: string;
  readonly name?: string;
}

/**
 * Files as the other tools take them: below the project by their path in it, else absolute. A runner names them from its own
 * folder, by a link, or (Java, Go) without any folder; what cannot be told apart stays as it was printed.
 */
export function createPlacer(look: Look, folder: string, signal: AbortSignal) {
  const known = new Map<string, Promise<string>>();
  let searches = 0;

  const inProject = async (file: string): Promise<string | undefined> => {
    const found = await look.resolve(file, folder);
    if (!found.ok) return undefined;
    return found.value.kind === 'file' || posix.isAbsolute(file) ? found.value.relative : undefined;
  };

  const search = async (file: string): Promise<string | undefined> => {
    if (searches === maxSearches || signal.aborted) return undefined;
    searches += 1;
    const found = await look.glob(file, { path: folder, limit: 2, signal });
    return found.ok && found.value.files.length === 1 ? found.value.files[0] : undefined;
  };

  const place = async (file: string, packages: readonly string[]): Promise<string> => {
    const here = await inProject(file);
    if (here !== undefined || /[/\\]/.test(file)) return here ?? file;
    // A package of Go ends in its folder.
    for (let from = 0; from < packages.length; from += 1) {
      const below = await inProject(posix.join(...packages.slice(from), file));
      if (below !== undefined) return below;
    }
    return (/[*?[\]{}]/.test(file) ? undefined : await search(file)) ?? file;
  };

  return async <T extends Placed>(result: T): Promise<T> => {
    const { file, name = '' } = result;
    if (file === undefined) return result;
    const [first = ''] = name.split(' ', 1);
    const packages = first.includes('/') ? first.split('/') : [];
    const key = JSON.stringify([file, packages]);
    const found = known.get(key) ?? place(file, packages);
    known.set(key, found);
    return { ...result, file: await found };
  };
}
