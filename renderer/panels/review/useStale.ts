import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Client } from '../../../shared/contract/client.ts';
import { useClient } from '../../client/client.ts';
import type { WaitingChange } from '../../mirror/selectors.ts';

/** How often the files behind waiting changes are looked at; an editor's save should show before *Apply* is pressed. */
const lookEveryMs = 3000;

/** Why files are no longer as they were when they were proposed, by path. */
export type Stale = Readonly<Record<string, string>>;

/** Asks call by call, as the engine answers. A call that cannot be looked at counts as untouched: the engine looks again. */
export async function lookForStale(client: Client, session: string, calls: readonly string[]): Promise<Stale> {
  const found: Record<string, string> = {};
  for (const call of calls) {
    const answer = await client.call('change.fresh', { session, call });
    if (answer.ok) for (const { path, why } of answer.value.stale) found[path] = why;
  }
  return found;
}

/** The calls that cannot be written as they are: one with a stale file, and whatever lies upon it in the same file. */
export function blockedCalls(waiting: readonly WaitingChange[], stale: Stale): ReadonlySet<string> {
  return new Set(
    waiting
      .filter(({ change: { path, oldPath } }) => path in stale || (oldPath !== undefined && oldPath in stale))
      .map(({ call }) => call),
  );
}

/** Which of the waiting changes rest on files that have moved on; looked at now and then, when the window comes forward, and when asked. */
export function useStale(session: string, waiting: readonly WaitingChange[]) {
  const client = useClient();
  const [stale, setStale] = useState<Stale>({});
  const calls = [...new Set(waiting.map(({ call }) => call))].join(' ');
  const newest = useRef(0);
  const look = useCallback(async (): Promise<Stale> => {
    newest.current += 1;
    const turn = newest.current;
    const found = await lookForStale(client, session, calls.split(' ').filter(Boolean));
    if (turn === newest.current) setStale((before) => (isSame(before, found) ? before : found));
    return found;
  }, [client, session, calls]);
  useEffect(() => {
    const lookIfSeen = (): void => void (document.hidden ? undefined : look());
    lookIfSeen();
    const timer = setInterval(lookIfSeen, lookEveryMs);
    window.addEventListener('focus', lookIfSeen);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', lookIfSeen);
    };
  }, [look]);
  const blocked = useMemo(() => blockedCalls(waiting, stale), [waiting, stale]);
  return { stale, blocked, look };
}

const isSame = (a: Stale, b: Stale): boolean => JSON.stringify(a) === JSON.stringify(b);
