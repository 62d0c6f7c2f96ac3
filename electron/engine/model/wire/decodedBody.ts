import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** The body of an answer as text bytes; `complete` once it has arrived whole. */
export type Body = Readable & { readonly complete: boolean };

/**
 * The body without its compression: none was asked for, but some gateways compress all the same. What was compressed
 * before a pause is given on at once, so that a stream stays one. Unknown encodings stay as they are.
 */
export async function decodedBody(response: IncomingMessage): Promise<Body> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (!/^(?:x-)?gzip$|^deflate$|^br$/.test(encoding)) return response;
  const [{ createBrotliDecompress, createUnzip }, { pipeline }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ]);
  // `createUnzip` tells gzip from deflate by itself.
  const decoder = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  // A failure is heard as the error of the decoder, which is what the reader of the body listens to.
  pipeline(response, decoder, () => undefined);
  return Object.defineProperty(decoder, 'complete', { get: () => decoder.readableEnded }) as typeof decoder & {
    readonly complete: boolean;
  };
}
