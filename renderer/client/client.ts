import { createContext, use } from 'react';
import { toast } from 'sonner';
import type { Client } from '../../shared/contract/client.ts';
import type { Result } from '../../shared/result.ts';
import { useConnection } from './connection.ts';

export const ClientContext = createContext<Client | null>(null);

/** The same client whose refusals speak the window's language. */
export function inWords(client: Client, said: (text: string) => string): Client {
  return {
    ...client,
    async call(method, input) {
      const answer = await client.call(method, input);
      return answer.ok ? answer : { ok: false, error: { ...answer.error, message: said(answer.error.message) } };
    },
  };
}

export function useClient(): Client {
  const client = use(ClientContext);
  if (!client) throw new Error('There is no client above this component.');
  return client;
}

/** Waits for an answer and tells the person when it is a refusal. Undefined then. */
export async function valueOrToast<T>(answer: Promise<Result<T>>): Promise<T | undefined> {
  const result = await answer;
  if (result.ok) return result.value;
  // While the connection is lost the banner says so; each refused call need not.
  if (result.error.code !== 'UNAVAILABLE' || useConnection.getState().status === 'open')
    toast.error(result.error.message);
  return undefined;
}
