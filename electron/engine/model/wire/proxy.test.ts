import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../testing/manualClock.ts';
import { allEvents, sampleRequest } from '../../testing/modelEvents.ts';
import { selfSigned } from '../../testing/selfSigned.ts';
import { Remembered } from '../base/capabilities.ts';
import { HttpClient } from '../httpClient.ts';

const answer: RequestListener = (_request, response) => {
  response.end(`data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`);
};

/** On the loopback until the test ends; connections that are still open are cut then. */
async function listen(server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => open.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port; // it listens on TCP
}

/** A model server that only the proxy can find, and the proxy, which notes what it is asked. */
async function network() {
  const asked: string[] = [];
  const secrets: boolean[] = [];
  const note = (request: IncomingMessage): void => {
    asked.push(`${request.method} ${request.url}`);
    secrets.push(request.headers.authorization !== undefined);
  };
  const model = await listen(createTlsServer(selfSigned, answer));
  const proxy = createServer((request, response) => {
    note(request);
    answer(request, response);
  });
  proxy.on('connect', (request: IncomingMessage, near: Socket) => {
    note(request);
    const far = connect(model, '127.0.0.1', () => near.write('HTTP/1.1 200 Connection Established\r\n\r\n'));
    far.pipe(near);
    near.pipe(far);
    for (const [one, other] of [[near, far] as const, [far, near] as const])
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  const address = `http://127.0.0.1:${await listen(proxy)}`;
  return { asked, secrets, address };
}

function trustTheCertificate(): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, selfSigned.cert]);
  onTestFinished(() => setDefaultCACertificates(before));
}

async function ask(baseUrl: string, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const settings = {
    ...{ provider: 'test', baseUrl, apiKey: 'key', headers: {}, timeoutMs: 60_000, retries: 0, temperature: 0.2 },
    ...{ streamUsage: true, echoReasoning: false, echoDetails: false, isDialectFixed: false, throughPackage: false },
    ...{ dialectOf: () => 'chat' as const, factsOf: () => ({}), callExtras: 'keep' as const },
  };
  const client = new HttpClient(settings, { clock: new ManualClock(), env, memory: new Remembered() });
  onTestFinished(() => client.dispose());
  const events = await allEvents(client.stream(sampleRequest, new AbortController().signal));
  return events.map((event) =>
    event.type === 'text' ? event.text : event.type === 'failed' ? event.error.code : event.type,
  );
}

test.each(['HTTPS_PROXY', 'https_proxy'])(
  'a provider behind %s is reached through a tunnel that hides the key',
  async (name) => {
    trustTheCertificate();
    const { asked, secrets, address } = await network();
    expect(await ask('https://model.test/v1', { [name]: address })).toEqual(['Hi', 'finish']);
    expect(asked).toEqual(['CONNECT model.test:443']);
    expect(secrets).toEqual([false]);
  },
);

test('a certificate that nobody vouches for is refused, through a tunnel too', async () => {
  const { asked, address } = await network();
  expect(await ask('https://model.test/v1', { HTTPS_PROXY: address })).toEqual(['PROVIDER_UNREACHABLE']);
  expect(asked).toEqual(['CONNECT model.test:443']);
});

test('NO_PROXY and this machine go past the proxy', async () => {
  const { asked, address } = await network();
  const here = await listen(createServer(answer));
  const proxied = { HTTPS_PROXY: address, HTTP_PROXY: address };
  expect(await ask(`http://127.0.0.1:${here}/v1`, proxied)).toEqual(['Hi', 'finish']);
  // Another name of this machine that is not known as one: no name server is asked, and the proxy would be.
  const other = `http://0.0.0.0:${here}/v1`;
  expect(await ask(other, { ...proxied, NO_PROXY: 'other.test,0.0.0.0' })).toEqual(['Hi', 'finish']);
  expect(await ask(other, { ...proxied, no_proxy: '*' })).toEqual(['Hi', 'finish']);
  expect(asked).toEqual([]);
  expect(await ask(other, { ...proxied, NO_PROXY: 'other.test' })).toEqual(['Hi', 'finish']);
  expect(asked).toEqual([`POST ${other}/chat/completions`]);
});

test('a plain address goes through HTTP_PROXY as it is', async () => {
  const { asked, address } = await network();
  expect(await ask('http://model.test/v1', { HTTP_PROXY: address })).toEqual(['Hi', 'finish']);
  expect(asked).toEqual(['POST http://model.test/v1/chat/completions']);
});
