import type { Client } from '../../../shared/contract/client.ts';
import { slashCommandsIn } from '../../../shared/text/slashCommands.ts';
import { forTerminal } from '../base/forTerminal.ts';
import type { Completion } from './terminal.ts';

/** More than these are no help on a terminal. */
const maxChoices = 20;

/** What Tab offers: commands at the beginning of a line, and what an `@` could mention. */
export async function completeLine(
  line: string,
  { client, project, session }: { readonly client: Client; readonly project: string; readonly session: string },
): Promise<Completion> {
  if (/^\/\S*$/.test(line)) {
    const listed = await client.call('prompt.list', { project });
    const prompts = listed.ok ? listed.value.prompts : [];
    const names = [...slashCommandsIn('terminal'), ...prompts].map(({ name }) => `/${name}`);
    return {
      choices: names.filter((name) => forTerminal(name) === name && name.toLowerCase().startsWith(line.toLowerCase())),
      part: line,
    };
  }
  const part = /(?:^|\s)(@(?:"[^"]*|[^\s"]*))$/.exec(line)?.[1];
  if (part === undefined) return { choices: [], part: line };
  const query = part.replace(/^@"?/, '');
  const found = await client.call('mention.find', { project, session, query, limit: maxChoices });
  if (!found.ok) return { choices: [], part };
  const choices = found.value.choices
    // A symbol by its bare name, because it goes on from what was typed; where it is not clear, sending says what is.
    .map(({ kind, mention, label }) => (kind === 'symbol' ? `symbol:${label}` : mention))
    // A name that a terminal would obey is not put onto it.
    .filter((mention) => forTerminal(mention) === mention && !/[\r\n]/.test(mention))
    .map((mention) => (/\s/.test(mention) ? `@"${mention}"` : `@${mention}`));
  // Readline puts in what all choices begin with: those that only contain what was typed are for the window.
  return {
    choices: [...new Set(choices)].filter((choice) => choice.startsWith(`@${query}`) || choice.startsWith(part)),
    part,
  };
}
