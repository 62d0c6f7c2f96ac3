import type { Attachment } from '../../../shared/model/event.ts';
import { clipText } from '../tools/clipText.ts';
import type { Look } from '../workspace/look.ts';
import { mentionsOf } from './mentions.ts';

/** Characters of one file, and of all files and folders of one message. */
const maxFileChars = 60_000;
const maxChars = 200_000;
const maxFolderEntries = 300;
const maxMentions = 20;

/**
 * The attachments of a message as they are sent: files and folders that the text mentions with `@` are added where they
 * exist, and each is read now, so that the conversation stays the same whatever becomes of them.
 */
export async function readAttachments(
  look: Look,
  text: string,
  given: readonly Attachment[],
): Promise<readonly Attachment[]> {
  const attachments: Attachment[] = [];
  let left = maxChars;
  for (const attached of [...given, ...(await mentioned(look, text, given))]) {
    if (attached.kind !== 'file' && attached.kind !== 'folder') {
      attachments.push(attached);
      continue;
    }
    const read = attached.kind === 'file' ? await fileText(look, attached.path) : await folderText(look, attached.path);
    const kept = read.slice(0, Math.max(0, left));
    left -= kept.length;
    const cut =
      kept.length < read.length ? `\n(cut: the files of one message hold at most ${maxChars} characters)` : '';
    attachments.push({ ...attached, text: `${kept}${cut}` });
  }
  return attachments;
}

async function mentioned(look: Look, text: string, given: readonly Attachment[]): Promise<readonly Attachment[]> {
  const known = new Set(given.flatMap((one) => ('path' in one ? [one.path] : [])));
  const found: Attachment[] = [];
  for (const path of mentionsOf(text).slice(0, maxMentions)) {
    const place = await look.resolve(path);
    if (!place.ok || known.has(place.value.relative)) continue;
    const { kind, relative } = place.value;
    if (kind !== 'file' && kind !== 'directory') continue;
    known.add(relative);
    found.push({ kind: kind === 'file' ? 'file' : 'folder', path: relative });
  }
  return found;
}

async function fileText(look: Look, path: string): Promise<string> {
  const read = await look.readLines(path, { maxBytes: maxFileChars * 4 });
  if (!read.ok) return `(cannot be read: ${read.error.message})`;
  const { text, truncated } = clipText(read.value.content, maxFileChars);
  return truncated || read.value.truncated ? `${text}\n(cut: read the rest with read_file)` : text;
}

async function folderText(look: Look, path: string): Promise<string> {
  const walked = await look.walk(path);
  if (!walked.ok) return `(cannot be listed: ${walked.error.message})`;
  const names: string[] = [];
  for await (const entry of walked.value) {
    if (names.length >= maxFolderEntries) return `${names.join('\n')}\n(cut: list the rest with list_directory)`;
    names.push(entry.type === 'directory' ? `${entry.path}/` : entry.path);
  }
  return names.length > 0 ? names.join('\n') : '(empty)';
}
