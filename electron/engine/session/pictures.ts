import type { Picture } from '../../../shared/model/brought.ts';
import type { Item } from '../../../shared/model/sessionState.ts';
import type { ModelImage } from '../model/base/port.ts';
import type { Contents } from '../workspace/contents.ts';

type PictureId = Pick<Picture, 'content' | 'mediaType'>;

/** The pictures of one item of the timeline: what a message had attached, what a call brought. */
export function picturesOf(item: Item): readonly PictureId[] {
  if (item.kind === 'user') return (item.attachments ?? []).filter((one) => one.kind === 'image');
  return item.kind === 'call' ? (item.call.brought?.pictures ?? []) : [];
}

/** Its bytes in base64; nothing when they are no longer kept. */
export async function readPicture(
  contents: Pick<Contents, 'get'>,
  { content, mediaType }: PictureId,
): Promise<ModelImage | undefined> {
  const bytes = await contents.get(content);
  return bytes.ok ? { mediaType, data: Buffer.from(bytes.value).toString('base64') } : undefined;
}

/** Those of them that are kept. */
export async function readPictures(
  contents: Pick<Contents, 'get'>,
  pictures: readonly PictureId[],
): Promise<readonly ModelImage[]> {
  const read = await Promise.all(pictures.map((picture) => readPicture(contents, picture)));
  return read.filter((one) => one !== undefined);
}
