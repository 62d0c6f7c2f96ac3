import { createHash } from 'node:crypto';
import type { CallToolResult, Tool as RemoteTool } from '@modelcontextprotocol/client';
import type { Level } from '../../../../shared/model/level.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Hands, Tool } from '../../tools/frame/tool.ts';
import { plainLine } from '../cliSpec/specInstructions.ts';
import type { AskPerson } from './answerForm.ts';
import type { ServerLink } from './serverLink.ts';

const maxAbout = 1_000;
const maxText = 200_000;
const maxImageChars = 7_000_000; // 5 MiB in base64
const maxPreview = 20_000;
/** Of one answer. */
const maxPictures = 8;
const maxPictureChars = 14_000_000;
const maxBlocks = 2_000;
const maxUri = 500;

/** `mcp_<server>_<tool>`, at most 64 characters of those that models allow. */
export function remoteToolName(server: string, tool: string): string {
  const name = `mcp_${server}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  if (name.length <= 64) return name;
  return `${name.slice(0, 55)}_${createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, 8)}`;
}

/**
 * Never below moderate: the hints are the server's own word. What says that it only reads, or destroys nothing, is
 * moderate; what says nothing counts as destructive, which is also the protocol's default.
 */
export function remoteLevel(annotations: RemoteTool['annotations']): Level {
  return annotations?.readOnlyHint === true || annotations?.destructiveHint === false ? 'moderate' : 'dangerous';
}

/** A tool of an MCP server as one of ours; its origin is in its source. */
export function remoteTool(remote: RemoteTool, link: ServerLink): Tool {
  const { entry } = link;
  const permission = remoteLevel(remote.annotations);
  const readOnly = remote.annotations?.readOnlyHint === true;
  return {
    name: remoteToolName(entry.name, remote.name),
    category: 'mcp',
    permission,
    about: plainLine(remote.description ?? remote.title ?? remote.name).slice(0, maxAbout),
    source: `mcp ${entry.name} (${entry.origin})`,
    inputSchema: () => ({ ...remote.inputSchema }),
    prepare(input) {
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return Promise.resolve(fail('VALIDATION_ERROR', `The input of ${remote.name} must be an object`));
      const given = input as Readonly<Record<string, unknown>>; // an object, as was checked
      return Promise.resolve(
        ok({
          warnings: [],
          intent: {
            risk: permission,
            // What a foreign program does is not known; only its own word says that it reads.
            effects: readOnly ? ['reads', 'network'] : ['writes', 'executes', 'network'],
            targets: [{ kind: 'other', name: `mcp:${entry.name}/${remote.name}` }],
            summary: `Call ${plainLine(remote.name)} of the MCP server ${entry.name}`,
            preview: {
              kind: 'text',
              title: `${entry.name} / ${remote.name}`,
              text: JSON.stringify(given, null, 2).slice(0, maxPreview),
            },
          },
          async run(hands) {
            const { signal } = hands;
            const onProgress = (text: string): void => hands.output(`${text}\n`);
            const answer = await link.call(remote.name, given, { signal, onProgress, ask: askBy(hands) });
            return answer.ok ? remoteResult(answer.value, hands) : answer;
          },
        }),
      );
    },
  };
}

/** Questions of a server are questions of the call that it answers: the person sees them where they see those of the agent. */
function askBy(hands: Pick<Hands, 'callTool'>): AskPerson | undefined {
  if (hands.callTool === undefined) return undefined;
  return async (question, choices) => {
    const result = await hands.callTool?.('ask_user', { question, choices });
    if (!result?.success) return { kind: result?.error.code === 'PERMISSION_DENIED' ? 'declined' : 'gone' };
    const { answer, cancelled } = result.data as { readonly answer: string; readonly cancelled: boolean };
    return cancelled ? { kind: 'declined' } : { kind: 'answer', text: answer };
  };
}

/** Text, data and pictures of an answer, each within its limit. */
async function remoteResult(
  answer: CallToolResult,
  { bringPicture }: Pick<Hands, 'bringPicture'>,
): Promise<Result<unknown>> {
  let room = maxText;
  let cut = false;
  let pictures = 0;
  let pictureChars = 0;
  const take = (text: string): string => {
    const taken = text.slice(0, Math.max(0, room));
    room -= taken.length;
    cut ||= taken.length < text.length;
    return taken;
  };
  const texts: string[] = [];
  for (const block of answer.content.slice(0, maxBlocks)) {
    switch (block.type) {
      case 'text':
        texts.push(take(block.text));
        break;
      case 'image':
        pictures += 1;
        pictureChars += block.data.length;
        texts.push(
          pictures > maxPictures || pictureChars > maxPictureChars
            ? take('[an image was left out: the answer has too many]')
            : await imageNote(block, bringPicture),
        );
        break;
      case 'resource':
        texts.push(
          'text' in block.resource
            ? take(block.resource.text)
            : take(`[binary resource ${plainLine(block.resource.uri).slice(0, maxUri)}]`),
        );
        break;
      case 'resource_link':
        texts.push(take(`[resource ${plainLine(block.uri).slice(0, maxUri)}]`));
        break;
      case 'audio':
        texts.push(take('[audio was left out]'));
        break;
    }
  }
  cut ||= answer.content.length > maxBlocks;
  const text = texts.join('\n');
  if (answer.isError === true) return fail('TOOL_EXECUTION_FAILED', text || 'The tool failed without a message');
  const data = answer.structuredContent;
  const fits = data !== undefined && JSON.stringify(data).length <= maxText;
  return ok({
    output: text,
    ...(fits ? { structured: data } : {}),
    ...(cut || (data !== undefined && !fits) ? { truncated: true } : {}),
  });
}

/** What stands for a picture in the text; the picture itself is brought. */
async function imageNote(
  { data, mimeType }: { readonly data: string; readonly mimeType: string },
  bringPicture: Hands['bringPicture'],
): Promise<string> {
  if (!/^image\/(?:png|jpeg|gif|webp)$/.test(mimeType)) return '[an image of a kind that is not shown was left out]';
  if (data.length > maxImageChars) return '[an image over 5 MiB was left out]';
  const kept = await bringPicture(Buffer.from(data, 'base64'), { mediaType: mimeType });
  return kept.ok ? '[an image]' : `[an image could not be kept: ${kept.error.message}]`;
}
