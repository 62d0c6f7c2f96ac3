import { useEffect, useState } from 'react';
import { slashCommandsIn } from '../../../shared/text/slashCommands.ts';
import { useClient } from '../../client/client.ts';
import { useShown } from '../../view/shown.ts';
import { useWords } from '../../words/words.tsx';
import type { Choice } from './Completion.tsx';
import type { Token } from './token.ts';

const shownMentions = 14;
const shownPrompts = 40;
const typingPauseMs = 60;

/** What could complete the token: what the engine knows of for a mention, the commands for a slash. */
export function useChoices(token: Token | null): readonly Choice[] {
  const { project, session } = useShown();
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
    let current = true;
    if (kind === 'slash') {
      const own = slashCommandsIn('window')
        .filter(({ name }) => name.startsWith(query.toLowerCase()))
        .map(({ name, usage }) => ({
          id: name,
          kind,
          label: usage === '' ? `/${name}` : `/${name} ${usage}`,
          takes: usage !== '',
          note: words.slash[name],
        }));
      setChoices(own);
      void client.call('prompt.list', { project }).then((answer) => {
        if (!current || !answer.ok) return;
        const more = answer.value.prompts
          .filter(({ name }) => name.toLowerCase().startsWith(query.toLowerCase()))
          .filter(({ name }) => !own.some(({ id }) => id === name))
          .map(({ name, hint, about }) => ({
            id: name,
            kind,
            label: hint === '' ? `/${name}` : `/${name} ${hint}`,
            takes: true,
            note: about,
          }));
        if (more.length > 0) setChoices([...own, ...more.slice(0, shownPrompts)]);
      });
      return () => {
        current = false;
      };
    }
    const timer = setTimeout(() => {
      const where = { project, session: session ?? undefined };
      void client.call('mention.find', { ...where, query, limit: shownMentions }).then((answer) => {
        if (!current || !answer.ok) return;
        setChoices(
          answer.value.choices.map(({ kind: of, mention, label, note }) => ({
            id: `${of} ${mention}`,
            kind,
            of,
            mention,
            label,
            note: note === '' ? words.composer.kinds[of] : note,
          })),
        );
      });
    }, typingPauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, kind, project, query, session, words]);
  return choices;
}
