import type { ContentId } from '../../../shared/model/change.ts';
import type { Contents } from '../workspace/contents.ts';
import type { Look } from '../workspace/look.ts';
import { lookOver, type Seen } from '../workspace/lookOver.ts';

/**
 * The project as it was before a change: these paths have their earlier contents (null: they did not exist), all others
 * are as they are. For telling once more what a call did whose result was lost.
 */
export function lookBefore(look: Look, before: ReadonlyMap<string, ContentId | null>, contents: Contents): Look {
  const seen = [...before].map(([path, id]): [string, Seen] => [path, id === null ? null : () => contents.get(id)]);
  return lookOver(look, new Map(seen));
}
