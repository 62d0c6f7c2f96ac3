import type { Item, SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { visible } from '../../../shared/text/visible.ts';
import type { ModelImage } from '../model/base/port.ts';
import type { Contents } from '../workspace/contents.ts';
import { clipResult } from './clipResult.ts';
import { picturesOf, readPicture } from './pictures.ts';

/** Characters of pictures in one export; those beyond are named and left out. */
const maxPictureChars = 30_000_000;

type Pictures = ReadonlyMap<string, ModelImage>;

/** A session with its pictures, as data or for people to read. Keys are never part of it: they never enter the journal. */
export async function exportSession(
  state: SessionState,
  format: 'json' | 'markdown',
  contents: Contents,
): Promise<string> {
  const pictures = new Map<string, ModelImage>();
  let left = maxPictureChars;
  for (const item of itemsOf(state.items))
    for (const id of picturesOf(item)) {
      const read = pictures.has(id.content) ? undefined : await readPicture(contents, id);
      if (read === undefined || read.data.length > left) continue;
      left -= read.data.length;
      pictures.set(id.content, read);
    }
  return format === 'json' ? exportJson(state, pictures) : exportMarkdown(state, pictures);
}

function exportJson(state: SessionState, pictures: Pictures): string {
  const all = { ...state, items: [...itemsOf(state.items)], pictures: Object.fromEntries(pictures) };
  return `${JSON.stringify(all, undefined, 2)}\n`;
}

function shownPictures(item: Item, pictures: Pictures): string {
  return picturesOf(item)
    .map(({ content }) => pictures.get(content))
    .map((read) => (read ? `\n\n![Picture](data:${read.mediaType};base64,${read.data})` : '\n\n*A picture, left out*'))
    .join('');
}

/** The conversation for people: messages as they are, calls as one line with their result folded away. */
function exportMarkdown(state: SessionState, pictures: Pictures): string {
  const parts = [
    `# ${plainWords(state.title || state.id)}`,
    `Project: ${plainWords(state.project)}  \nModel: ${plainWords(`${state.provider}/${state.model}`)}  \nCreated: ${state.createdAt}`,
  ];
  for (const item of itemsOf(state.items)) {
    switch (item.kind) {
      case 'user':
        parts.push(`## You\n\n${item.text}${shownPictures(item, pictures)}`);
        break;
      case 'assistant':
        if (item.text) parts.push(`## Agent\n\n${item.text}`);
        break;
      case 'call': {
        const { call } = item;
        const result = call.result ? clipResult(call.result, 4000) : '(no result)';
        parts.push(
          `<details><summary>${htmlWords(call.tool)}: ${htmlWords(call.intent?.summary ?? '')}</summary>\n\n${fenced(result)}${shownPictures(item, pictures)}\n\n</details>`,
        );
        break;
      }
      case 'phase':
        parts.push(`*${item.from} → ${item.to}: ${plainWords(item.cause)}*`);
        break;
      case 'notice':
        parts.push(`> ${plainWords(item.text)}`);
        break;
      case 'end':
        parts.push(`---\n\n*Turn ended: ${item.outcome}*`);
        break;
      case 'system':
        break;
    }
  }
  return `${parts.join('\n\n')}\n`;
}

/** Words of others in one line of Markdown: neither HTML nor a link, a picture, a heading or an end of what they stand in. */
function plainWords(text: string): string {
  return htmlWords(text).replaceAll(/[\\`*_[\]!#|~]/g, '\\$&');
}

/** The same within HTML, where Markdown is not read. */
function htmlWords(text: string): string {
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return visible(html).text.replaceAll(/\s+/g, ' ');
}

/** A fence longer than any in the text, so that nothing inside can end it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
