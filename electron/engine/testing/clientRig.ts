import { type ModelServer, type ServerReply, startModelServer } from '../../../e2e/modelServer.ts';
import { Remembered } from '../model/base/capabilities.ts';
import type { ModelEvent } from '../model/base/port.ts';
import { HttpClient, type HttpClientSettings } from '../model/httpClient.ts';
import { ManualClock } from './manualClock.ts';
import { allEvents, sampleRequest } from './modelEvents.ts';

/** A model server on the loopback and clients for it, whose time stands still until a test moves it. */
export interface ClientRig {
  readonly server: ModelServer;
  settings(changes?: Partial<HttpClientSettings>): HttpClientSettings;
  client(
    changes?: Partial<HttpClientSettings>,
    clock?: ManualClock,
    memory?: Remembered,
    env?: Readonly<Record<string, string>>,
  ): HttpClient;
  /** One question to a server that answers so. */
  ask(reply: ServerReply, changes?: Partial<HttpClientSettings>): Promise<readonly ModelEvent[]>;
  close(): Promise<void>;
}

export async function startClientRig(): Promise<ClientRig> {
  const server = await startModelServer();
  const clients: HttpClient[] = [];
  const rig: ClientRig = {
    server,
    settings: (changes = {}) => ({
      provider: 'test',
      baseUrl: server.url,
      apiKey: '',
      headers: {},
      timeoutMs: 60_000,
      retries: 0,
      temperature: 0.2,
      streamUsage: true,
      echoReasoning: false,
      echoDetails: false,
      isDialectFixed: false,
      dialectOf: () => 'chat' as const,
      factsOf: () => ({}),
      throughPackage: false,
      callExtras: 'keep',
      ...changes,
    }),
    client(changes = {}, clock = new ManualClock(), memory = new Remembered(), env = {}) {
      let ids = 0;
      const newId = () => {
        ids += 1;
        return `new${ids}`;
      };
      const client = new HttpClient(rig.settings(changes), { clock, env, memory, random: () => 0, newId });
      clients.push(client);
      return client;
    },
    ask(reply, changes = {}) {
      server.play(reply);
      return allEvents(rig.client(changes).stream(sampleRequest, new AbortController().signal));
    },
    async close() {
      for (const client of clients) client.dispose();
      await server.close();
    },
  };
  return rig;
}
