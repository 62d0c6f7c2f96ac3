import { useEffect, useState } from 'react';
import { useClient } from '../client/client.ts';
import { useShown } from '../view/shown.ts';

const shownPaths = 8;
const typingPauseMs = 80;

/** Files of the project on show whose path fits; none for less than two characters. */
export function useFoundPaths(query: string): readonly string[] {
  const client = useClient();
  const project = useShown((shown) => shown.project);
  const wanted = query.trim();
  const [paths, setPaths] = useState<readonly string[]>([]);
  useEffect(() => {
    if (project === null || wanted.length < 2) {
      setPaths([]);
      return;
    }
    let current = true;
    const timer = setTimeout(() => {
      void client.call('file.find', { project, query: wanted, limit: shownPaths }).then((answer) => {
        if (current && answer.ok) setPaths(answer.value.paths);
      });
    }, typingPauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, project, wanted]);
  return paths;
}
