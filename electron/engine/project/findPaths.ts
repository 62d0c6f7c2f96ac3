import { ok, type Result } from '../../../shared/result.ts';
import { editDistance } from '../../../shared/text/editDistance.ts';
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

/** Paths that a path which does not exist may have meant, nearest first: those of its name, then those that differ by little. */
export async function nearestPaths(look: Look, path: string, limit: number): Promise<readonly string[]> {
  const walked = await look.walk('.');
  if (!walked.ok) return [];
  const wanted = path.toLowerCase();
  const name = wanted.slice(wanted.lastIndexOf('/') + 1);
  const found: { readonly path: string; readonly distance: number }[] = [];
  let seen = 0;
  for await (const entry of walked.value) {
    if (entry.type !== 'file' && entry.type !== 'directory') continue;
    seen += 1;
    if (seen > maxEntries) break;
    const other = entry.path.toLowerCase();
    const distance = Math.min(editDistance(other.slice(other.lastIndexOf('/') + 1), name), editDistance(other, wanted));
    if (distance <= Math.max(2, Math.floor(name.length / 3))) found.push({ path: entry.path, distance });
  }
  return found
    .toSorted((a, b) => a.distance - b.distance || a.path.length - b.path.length)
    .slice(0, limit)
    .map((one) => one.path);
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
