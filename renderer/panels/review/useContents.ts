import { useEffect, useState } from 'react';
import { useClient } from '../../client/client.ts';
import { type Content, fetchContent } from '../../parts/useContent.ts';

export interface BothContents {
  readonly before: Content;
  readonly after: Content;
}

/** Asked for at once; the engine reads them from the disk one after the other. */
const atOnce = 6;

/** The contents of all files of a scroll, those on top first; none until they have come. */
export function useContents(
  session: string,
  files: readonly { readonly before: string | null; readonly after: string | null }[],
): ReadonlyMap<string, BothContents> {
  const client = useClient();
  const [found, setFound] = useState<ReadonlyMap<string, BothContents>>(new Map());
  const wanted = files.map(contentsKey).join(' ');
  useEffect(() => {
    let isCurrent = true;
    const left = wanted.split(' ').filter(Boolean);
    const fetchNext = async (): Promise<void> => {
      for (let key = left.shift(); key !== undefined && isCurrent; key = left.shift()) {
        const [before = null, after = null] = key.split('→').map((id) => (id === '' ? null : id));
        const both = {
          before: await fetchContent(client, session, before),
          after: await fetchContent(client, session, after),
        };
        const name = key;
        if (isCurrent) setFound((known) => (known.has(name) ? known : new Map(known).set(name, both)));
      }
    };
    for (let lane = 0; lane < atOnce; lane += 1) void fetchNext();
    return () => {
      isCurrent = false;
    };
  }, [client, session, wanted]);
  return found;
}

export const contentsKey = ({ before, after }: { readonly before: string | null; readonly after: string | null }) =>
  `${before ?? ''}→${after ?? ''}`;

/** Both texts of a change, where they are there and are texts. */
export function textsIn(
  contents: ReadonlyMap<string, BothContents>,
  change: { readonly before: string | null; readonly after: string | null },
): { readonly before: string; readonly after: string } | undefined {
  const both = contents.get(contentsKey(change));
  if (both?.before.state !== 'text' || both.after.state !== 'text') return undefined;
  return { before: both.before.text, after: both.after.text };
}
