import { editDistance } from '../../../../shared/text/editDistance.ts';
import type { Action } from './action.ts';

/** All actions by module and name, sorted. */
export interface Registry {
  readonly modules: ReadonlyMap<string, ReadonlyMap<string, Action>>;
  find(module: string, action: string): Action | undefined;
}

const byName = <T>([a]: readonly [string, T], [b]: readonly [string, T]): number => (a < b ? -1 : a > b ? 1 : 0);

/** The first of two actions with one name wins. */
export function createRegistry(actions: readonly Action[]): Registry {
  const gathered = new Map<string, Map<string, Action>>();
  for (const action of actions) {
    const module = gathered.get(action.module) ?? new Map<string, Action>();
    if (!module.has(action.action)) module.set(action.action, action);
    gathered.set(action.module, module);
  }
  const modules = new Map(
    [...gathered].toSorted(byName).map(([name, module]) => [name, new Map([...module].toSorted(byName))]),
  );
  return { modules, find: (module, action) => modules.get(module)?.get(action) };
}

/** The nearest of the names at an edit distance of at most `limit`; case does not count. */
export function nearestName(name: string, known: Iterable<string>, limit = 2): string | undefined {
  let best: string | undefined;
  let bestDistance = limit + 1;
  // A long name has no near one; comparing it would only cost time.
  if (name.length > 64) return undefined;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
