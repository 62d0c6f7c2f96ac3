import type { GetPromptResult, Prompt, ReadResourceResult } from '@modelcontextprotocol/client';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { plainLine } from '../cliSpec/specInstructions.ts';
import type { ServerLink } from './serverLink.ts';

/** A prompt of a server, as a slash command. */
export interface RemotePrompt {
  /** `mcp__server__prompt` */
  readonly name: string;
  readonly about: string;
  /** Its arguments, those in brackets may be left out. */
  readonly hint: string;
  readonly origin: 'user' | 'project';
}

/** A resource of a server, as a mention. */
export interface RemoteResource {
  /** `server:uri` */
  readonly mention: string;
  readonly label: string;
}

/** What servers offer to the person: texts that go along with a message. Their words are data of others. */
export interface RemoteTexts {
  readonly prompts: readonly RemotePrompt[];
  readonly resources: readonly RemoteResource[];
  /** Undefined where no server has it. Errors: VALIDATION_ERROR (an argument is missing), UNAVAILABLE. */
  prompt(name: string, given: string): Promise<Result<string> | undefined>;
  /** Undefined where no server has such a name. Errors: UNAVAILABLE. */
  resource(mention: string): Promise<Result<string> | undefined>;
}

const maxAbout = 500;
const maxChars = 60_000;

export function remoteTexts(links: readonly ServerLink[]): RemoteTexts {
  const ready = links.flatMap((link) => (link.state.kind === 'ready' ? [{ link, ...link.state }] : []));
  const listed = ready.flatMap(({ link, prompts }) => prompts.map((prompt) => ({ link, prompt })));
  return {
    prompts: listed.map(({ link, prompt }) => ({
      name: commandName(link, prompt),
      about: plainLine(prompt.description ?? prompt.title ?? prompt.name).slice(0, maxAbout),
      hint: (prompt.arguments ?? [])
        .map(({ name, required }) => (required === true ? `<${plainLine(name)}>` : `[${plainLine(name)}]`))
        .join(' ')
        .slice(0, 100),
      origin: link.entry.origin,
    })),
    resources: ready.flatMap(({ link, resources }) =>
      resources.map(({ uri, name, title }) => ({
        mention: `${serverName(link)}:${uri}`,
        label: plainLine(title ?? name).slice(0, 200),
      })),
    ),
    async prompt(name, given) {
      const found = listed.find(({ link, prompt }) => commandName(link, prompt) === name);
      if (!found) return undefined;
      const { link, prompt } = found;
      const filled = argumentsOf(prompt, given);
      if (!filled.ok) return filled;
      const answer = await link.ask((client, options) =>
        client.getPrompt({ name: prompt.name, arguments: filled.value }, options),
      );
      return answer.ok ? ok(cut(promptText(answer.value))) : answer;
    },
    async resource(mention) {
      const [, server, uri = ''] = /^([A-Za-z0-9_-]+):(.+)$/s.exec(mention) ?? [];
      const found = ready.find(({ link }) => serverName(link) === server);
      if (!found) return undefined;
      const answer = await found.link.ask((client, options) => client.readResource({ uri }, options));
      return answer.ok ? ok(cut(resourceText(answer.value))) : answer;
    },
  };
}

const serverName = ({ entry }: ServerLink): string => entry.name.replaceAll(/[^A-Za-z0-9_-]/g, '_');

function commandName(link: ServerLink, { name }: Prompt): string {
  return `mcp__${serverName(link)}__${name.replaceAll(/[^\p{L}\p{N}_.:-]/gu, '_')}`.slice(0, 128);
}

/** The words in the order of the arguments, the last of which takes the rest; `name=value` names one. */
function argumentsOf({ name, arguments: wanted = [] }: Prompt, given: string): Result<Record<string, string>> {
  const words = [...given.matchAll(/([\w-]+)=(?:"([^"]*)"|(\S*))|"([^"]*)"|(\S+)/g)];
  const filled: Record<string, string> = {};
  const plain: string[] = [];
  for (const [whole, key, quoted, value, text, word] of words) {
    if (key !== undefined && wanted.some((one) => one.name === key)) filled[key] = quoted ?? value ?? '';
    else plain.push(text ?? word ?? whole);
  }
  const open = wanted.filter((one) => filled[one.name] === undefined);
  open.forEach((one, at) => {
    const value = at === open.length - 1 ? plain.slice(at).join(' ') : plain[at];
    if (value !== undefined && value !== '') filled[one.name] = value;
  });
  const missing = wanted.filter((one) => one.required === true && filled[one.name] === undefined);
  if (missing.length === 0) return ok(filled);
  const names = missing.map((one) => plainLine(one.name)).join(', ');
  return fail('VALIDATION_ERROR', `The prompt ${plainLine(name)} needs ${names}.`);
}

function promptText({ messages }: GetPromptResult): string {
  const isTalk = messages.some(({ role }) => role === 'assistant');
  return messages
    .map(({ role, content }) => {
      const text =
        content.type === 'text'
          ? content.text
          : content.type === 'resource' && 'text' in content.resource
            ? content.resource.text
            : `(${content.type} left out)`;
      return isTalk ? `${role}: ${text}` : text;
    })
    .join('\n\n');
}

function resourceText({ contents }: ReadResourceResult): string {
  return contents
    .map((one) => ('text' in one ? one.text : `(${one.mimeType ?? 'binary content'} left out)`))
    .join('\n');
}

function cut(text: string): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}\n(cut: at most ${maxChars} characters)`;
}
