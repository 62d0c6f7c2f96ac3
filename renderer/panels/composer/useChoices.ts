import { useEffect, useState } from 'react';
import { slashCommandsIn } from '../../../shared/text/slashCommands.ts';
import { useClient } from '../../app/client.tsx';
import { useWords } from '../../words/words.tsx';
import type { Choice } from './Completion.tsx';
import type { Token } from './token.ts';

const shownFiles = 12;
const typingPauseMs = 60;

/** What could complete the token: the engine's files for a mention, the commands for a slash. */
export function useChoices(token: Token | null, project: string | null): readonly Choice[] {
  const client = useClient();
  const words = useWords();
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const kind = token?.kind;
  const query = token?.query ?? '';
  useEffect(() => {
    if (kind === undefined || project === null) {
      setChoices([]);
      return;
    }
    if (kind === 'slash') {
      setChoices(
        slashCommandsIn('window')
          .filter(({ name }) => name.startsWith(query.toLowerCase()))
          .map(({ name, usage }) => ({
            id: name,
            kind,
            label: usage === '' ? `/${name}` : `/${name} ${usage}`,
            takes: usage !== '',
            note: words.slash[name],
          })),
      );
      return;
    }
    let current = true;
    const timer = setTimeout(() => {
      void client.call('file.find', { project, query, limit: shownFiles }).then((answer) => {
        if (current && answer.ok) setChoices(answer.value.paths.map((path) => ({ id: path, kind, label: path })));
      });
    }, typingPauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, kind, project, query, words]);
  return choices;
}
