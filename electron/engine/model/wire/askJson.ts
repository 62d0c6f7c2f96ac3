import { parseJson } from '../base/json.ts';
import { httpModule } from './httpModule.ts';

/** A server on this machine answers within this time or is not there. */
const patienceMs = 800;
const usualBytes = 1024 * 1024;

/**
 * The JSON that an address answers with 200, or undefined: nothing there, another status, no JSON, more than 1 MB. A
 * redirect is not followed: the key must not travel.
 */
export async function askJson(
  address: string,
  given: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly timeoutMs?: number;
    readonly maxBytes?: number;
  } = {},
): Promise<unknown> {
  if (!URL.canParse(address)) return undefined;
  const { request } = httpModule(new URL(address).protocol);
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const asked = request(
    address,
    {
      method: given.body === undefined ? 'GET' : 'POST',
      signal: AbortSignal.timeout(given.timeoutMs ?? patienceMs),
      agent: false,
      headers: given.headers ?? {},
    },
    (response) => {
      const pieces: Buffer[] = [];
      let size = 0;
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        size += piece.length;
        if (size > (given.maxBytes ?? usualBytes)) asked.destroy();
      });
      response.on('end', () =>
        resolve(response.statusCode === 200 ? parseJson(Buffer.concat(pieces).toString()) : undefined),
      );
      response.on('error', () => resolve(undefined));
    },
  );
  asked.on('error', () => resolve(undefined));
  asked.end(given.body === undefined ? undefined : JSON.stringify(given.body));
  return promise;
}
