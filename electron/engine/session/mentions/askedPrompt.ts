import type { Attachment } from '../../../../shared/model/event.ts';
import { ok, type Result } from '../../../../shared/result.ts';
import { slashName } from '../../../../shared/text/slashCommands.ts';
import type { RemoteTexts } from '../../bridge/mcp/remoteTexts.ts';
import { fillIn, type PromptFiles } from '../../project/prompts/promptFiles.ts';

export interface AskedPrompt {
  readonly attached: Extract<Attachment, { readonly kind: 'text' }>;
  /** What of it may mention files: nothing where another program has written it. */
  readonly mentions: string;
}

/**
 * What a message asks for that begins with the name of a command or skill (`/review src`): its text, which goes along with
 * the message. Undefined for any other message: a path at the beginning is a text. Errors: those of `RemoteTexts.prompt`.
 */
export async function askedPrompt(
  prompts: PromptFiles,
  text: string,
  texts: () => Promise<RemoteTexts | undefined> = async () => undefined,
): Promise<Result<AskedPrompt | undefined>> {
  const asked = slashName(text);
  if (asked?.name.startsWith('mcp__')) {
    const read = await (await texts())?.prompt(asked.name, asked.rest);
    if (!read?.ok) return read ?? ok(undefined);
    const title = `the prompt /${asked.name} of an MCP server, which the person asks for with this message`;
    return ok({ attached: { kind: 'text', title, text: read.value }, mentions: '' });
  }
  const prompt = asked && (await prompts.find(asked.name));
  if (!asked || !prompt) return ok(undefined);
  const what = prompt.kind === 'command' ? 'the command' : 'the skill';
  const filled = fillIn(prompt, asked.rest);
  const title = `${what} /${prompt.name}, which the person asks for with this message`;
  return ok({ attached: { kind: 'text', title, text: filled }, mentions: `\n${filled}` });
}
