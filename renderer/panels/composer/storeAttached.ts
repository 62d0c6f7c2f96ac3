import type { Client } from '../../../shared/contract/client.ts';
import type { Attachment } from '../../../shared/model/event.ts';
import { valueOrToast } from '../../client/client.ts';
import { type Attached, base64Of, textOfBytes } from './attachments.ts';

/** Hands pictures over to the engine and reads texts. Undefined where one was refused, which the person has been told. */
export async function storeAttached(
  client: Client,
  session: string,
  attached: readonly Attached[],
): Promise<readonly Attachment[] | undefined> {
  const stored: Attachment[] = [];
  for (const { kind, name, file } of attached) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (kind === 'text') {
      stored.push({ kind, title: name, text: textOfBytes(bytes) ?? '' });
      continue;
    }
    const mediaType = file.type;
    const kept = await valueOrToast(client.call('image.store', { session, base64: base64Of(bytes), mediaType }));
    if (!kept) return undefined;
    stored.push({ kind, content: kept.id, mediaType, name });
  }
  return stored;
}
