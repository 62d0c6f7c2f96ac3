import type { Attachment } from '../../../../shared/model/event.ts';
import { slashName } from '../../../../shared/text/slashCommands.ts';
import { fillIn, type PromptFiles } from '../../project/prompts/promptFiles.ts';

/**
 * What a message asks for that begins with the name of a command or skill (`/review src`): its text, which goes along with
 * the message. Undefined for any other message: a path at the beginning is a text.
 */
export async function askedPrompt(
  prompts: PromptFiles,
  text: string,
): Promise<Extract<Attachment, { readonly kind: 'text' }> | undefined> {
  const asked = slashName(text);
  const prompt = asked && (await prompts.find(asked.name));
  if (!asked || !prompt) return undefined;
  const what = prompt.kind === 'command' ? 'the command' : 'the skill';
  return {
    kind: 'text',
    title: `${what} /${prompt.name}, which the person asks for with this message`,
    text: fillIn(prompt, asked.rest),
  };
}
