/** Something that goes along with a message. Kept as it was given, read when it is sent. */
export interface Attached {
  readonly id: string;
  readonly kind: 'image' | 'text';
  readonly name: string;
  readonly file: Blob;
}

/** The largest picture that fits a frame as base64. */
export const maxImageBytes = 20_000_000;
/** More text than this belongs into the project, where the agent reads the parts it needs. */
export const maxTextBytes = 200_000;
export const maxAttached = 10;

/** What models take. A vector picture is text. */
const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

export type Refusal = 'imageTooBig' | 'textTooBig' | 'notText' | 'tooMany';

export type Judged =
  | { readonly ok: true; readonly kind: Attached['kind'] }
  | { readonly ok: false; readonly why: Refusal };

/** Whether a file of this type and size is taken along, and as what. */
export function judgeFile({ type, size }: Pick<File, 'type' | 'size'>): Judged {
  if (imageTypes.includes(type))
    return size > maxImageBytes ? { ok: false, why: 'imageTooBig' } : { ok: true, kind: 'image' };
  if (/^(?:audio|video|font)\/|^image\/(?!svg)|zip|pdf|octet-stream/.test(type)) return { ok: false, why: 'notText' };
  return size > maxTextBytes ? { ok: false, why: 'textTooBig' } : { ok: true, kind: 'text' };
}

/** The text of these bytes; undefined where they are none. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A name as it is shown and sent: one line, nothing invisible in it, not longer than a file system allows. */
export function plainName(name: string): string {
  const plain = [...name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')].slice(0, 255).join('').trim();
  return plain === '' ? 'file' : plain;
}

export function base64Of(bytes: Uint8Array): string {
  const chunks: string[] = [];
  // Spreading a whole picture would overflow the call stack.
  for (let at = 0; at < bytes.length; at += 32_768)
    chunks.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  return btoa(chunks.join(''));
}
