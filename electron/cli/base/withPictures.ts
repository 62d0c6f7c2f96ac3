import type { ModelImage } from '../../engine/model/base/port.ts';

/**
 * What a call answered, with its pictures in it: whoever reads one answer has no session to look them up in. One stands
 * there as the tool reference has it, several in a list.
 */
export function withPictures<T>(data: T, pictures: readonly ModelImage[]): T | (T & Readonly<Record<string, unknown>>) {
  const [first, ...more] = pictures.map((one) => ({ imageData: one.data, mimeType: one.mediaType }));
  if (first === undefined) return data;
  return { ...data, ...(more.length === 0 ? first : { images: [first, ...more] }) };
}
