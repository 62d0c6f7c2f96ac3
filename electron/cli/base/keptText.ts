import type { Client } from '../../../shared/contract/client.ts';

/** Reads contents that a session keeps, by their ids; undefined where they are no text or are gone. */
export function keptText(client: Client, session: string): (id: string) => Promise<string | undefined> {
  return async (id) => {
    const read = await client.call('content.read', { session, id });
    return read.ok ? (read.value.text ?? undefined) : undefined;
  };
}
