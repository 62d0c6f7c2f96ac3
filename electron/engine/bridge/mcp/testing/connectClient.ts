import { Client } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveMcp } from '../server.ts';
import type { ServerPort } from '../serverPort.ts';

/** The official client, connected to our server within this process; messages are written and read as JSON as over a pipe. */
export async function connectClient(port: ServerPort): Promise<{ readonly client: Client; close(): Promise<void> }> {
  const [near, far] = transportPair();
  const server = await serveMcp(port, { transport: far });
  const client = new Client({ name: 'in process', version: '1' });
  await client.connect(near);
  return {
    client,
    async close() {
      await client.close();
      await server.close();
    },
  };
}

function transportPair(): readonly [Transport, Transport] {
  const near = end(() => far);
  const far: Transport = end(() => near);
  return [near, far];
}

function end(other: () => Transport): Transport {
  const own: Transport = {
    start: () => Promise.resolve(),
    send(message) {
      const line = JSON.stringify(message);
      setImmediate(() => other().onmessage?.(JSON.parse(line) as JSONRPCMessage)); // what was written a line above
      return Promise.resolve();
    },
    close() {
      own.onclose?.();
      return Promise.resolve();
    },
  };
  return own;
}
