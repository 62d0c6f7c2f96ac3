import * as z from 'zod';
import type { Look } from '../../workspace/look.ts';

/** What a search or list passed over because the project ignores it; a folder counts once. */
export interface Ignored {
  readonly count: number;
  /** The first of them, below the project; folders end in `/`. */
  readonly paths: readonly string[];
}

export const ignoredSchema = z.lazy(() =>
  z
    .object({ count: z.number(), paths: z.array(z.string()).readonly() })
    .readonly()
    .optional(),
);

/** So many are named. */
const maxNamed = 5;
/** Deeper, and after so many entries, nobody looks: the search itself has its own eyes. */
const nearby = { maxDepth: 2, maxEntries: 3_000 };

/** Gathers what a walk passes over. */
export function gatherIgnored(): { readonly add: (path: string) => void; readonly found: () => Ignored | undefined } {
  const paths: string[] = [];
  let count = 0;
  return {
    add(path) {
      count += 1;
      if (paths.length < maxNamed) paths.push(path);
    },
    found: () => (count === 0 ? undefined : { count, paths }),
  };
}

/** What is ignored near the beginning of a search that does not tell it. */
export async function ignoredNear(look: Look, path: string, signal: AbortSignal): Promise<Ignored | undefined> {
  const ignored = gatherIgnored();
  const walked = await look.walk(path, { ...nearby, signal, onIgnored: ignored.add });
  if (!walked.ok) return undefined;
  for await (const _ of walked.value) if (signal.aborted) break;
  return ignored.found();
}

/** How much was left out, and how to see it. */
export function ignoredWords(ignored: Ignored | undefined): string | undefined {
  if (!ignored) return undefined;
  const { count, paths } = ignored;
  const more = count > paths.length ? ` and ${count - paths.length} more` : '';
  return `Left out as ignored: ${paths.join(', ')}${more}; give one as path to look into it`;
}

/** Both sentences of an answer, where there are two. */
export function sentences(...parts: readonly (string | undefined)[]): string | undefined {
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? undefined : said.join('. ');
}
