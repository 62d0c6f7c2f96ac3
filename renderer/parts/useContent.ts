import { useEffect, useState } from 'react';
import type { Client } from '../../shared/contract/client.ts';
import { useClient } from '../client/client.ts';

export type Content =
  | { readonly state: 'loading' }
  | { readonly state: 'text'; readonly text: string }
  | { readonly state: 'binary'; readonly sizeBytes: number; readonly image?: string | undefined }
  | { readonly state: 'failed'; readonly message: string };

/** Content never changes under its id, so an answer is good for as long as the page lives; the newest 400 are kept. */
const known = new Map<string, Content>();
const most = 400;
/** A larger picture is fetched anew. */
const maxKeptChars = 2_000_000;

export async function fetchContent(client: Client, session: string, id: string | null): Promise<Content> {
  if (id === null) return { state: 'text', text: '' };
  const before = known.get(id);
  if (before) return before;
  const answer = await client.call('content.read', { session, id });
  if (!answer.ok) return { state: 'failed', message: answer.error.message };
  const { text } = answer.value;
  if (text === null) {
    const content = binary(answer.value);
    if ((content.image?.length ?? 0) <= maxKeptChars) keep(id, content);
    return content;
  }
  return keep(id, { state: 'text', text });
}

function keep(id: string, content: Content): Content {
  known.set(id, content);
  if (known.size > most) known.delete(known.keys().next().value ?? '');
  return content;
}

const pictures: Readonly<Record<string, string>> = {
  iVBORw0KGgo: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGOD: 'image/gif',
  UklGR: 'image/webp',
};

/** Pictures are told by their first bytes; the engine gives no content over 10 MB. */
function binary({
  sizeBytes,
  base64 = '',
}: {
  readonly sizeBytes: number;
  readonly base64?: string | undefined;
}): Content & { readonly state: 'binary' } {
  const start = Object.keys(pictures).find((each) => base64.startsWith(each));
  const image = start && `data:${pictures[start]};base64,${base64}`;
  return { state: 'binary', sizeBytes, image };
}

export function useContent(session: string, id: string | null): Content {
  const client = useClient();
  const [found, setFound] = useState<{ readonly id: string | null; readonly content: Content }>({
    id: '',
    content: { state: 'loading' },
  });
  useEffect(() => {
    let current = true;
    void fetchContent(client, session, id).then((content) => {
      if (current) setFound({ id, content });
    });
    return () => {
      current = false;
    };
  }, [client, session, id]);
  return found.id === id ? found.content : { state: 'loading' };
}
