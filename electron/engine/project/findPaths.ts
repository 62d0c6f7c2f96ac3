import { ok, type Result } from '../../../shared/result.ts';
import type { Look } from '../workspace/look.ts';

/** More entries are not looked at while somebody types. */
const maxEntries = 50_000;

/** Files and folders (with a slash at the end) whose path fits what was typed so far, best first. Errors: those of the walk. */
export async function findPaths(look: Look, query: string, limit: number): Promise<Result<readonly string[]>> {
  const walked = await look.walk('.');
  if (!walked.ok) return walked;
  const found: { path: string; rank: number }[] = [];
  let seen = 0;
  for await (const entry of walked.value) {
    if (entry.type !== 'file' && entry.type !== 'directory') continue;
    seen += 1;
    const rank = rankOf(entry.path.toLowerCase(), query.toLowerCase());
    if (rank < Infinity) found.push({ path: entry.type === 'directory' ? `${entry.path}/` : entry.path, rank });
    if (seen > maxEntries) break;
  }
  return ok(
    found
      .toSorted((a, b) => a.rank - b.rank || a.path.length - b.path.length)
      .slice(0, limit)
      .map(({ path }) => path),
  );
}

/** Lower is better: the name begins so, the name contains it, the path contains it, the letters occur in order. */
function rankOf(path: string, query: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith(query)) return 0;
  if (name.includes(query)) return 1;
  if (path.includes(query)) return 2;
  let at = 0;
  for (const letter of query) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return Infinity;
  }
  return 3;
}
