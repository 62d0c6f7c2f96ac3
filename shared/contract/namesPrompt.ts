import { slashName } from '../text/slashCommands.ts';
import type { Client } from './client.ts';

/** Whether a line begins with a command or skill that files describe (`/review src`): it is sent like any message. */
export async function namesPrompt(client: Client, project: string, line: string): Promise<boolean> {
  const name = slashName(line)?.name;
  if (name === undefined) return false;
  const listed = await client.call('prompt.list', { project });
  return listed.ok && listed.value.prompts.some((prompt) => prompt.name === name);
}
