import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ModelServer, type ServerReply, startModelServer } from '../../e2e/modelServer.ts';
import { messagesStream, type Part, responsesStream } from '../../e2e/providers/streams.ts';
import type { Envelope } from '../../shared/model/event.ts';
import { advised, type Cause } from '../engine/model/base/causes.ts';
import { selfSigned } from '../engine/testing/selfSigned.ts';
import { main } from './main.ts';
import { createTestIo } from './testing/testIo.ts';

/** How a provider is asked: its dialect, through the package of its maker or over the lean path, at which address. */
interface Way {
  readonly dialect: 'chat' | 'responses' | 'messages';
  /** Found through a proxy alone, so that it bears its true name. */
  readonly address?: string;
  readonly at: string;
}

const ways = {
  'chat of a compatible server': { dialect: 'chat', at: '/v1/chat/completions' },
  "OpenAI's chat through its package": { dialect: 'chat', address: 'api.openai.com/v1', at: '/v1/chat/completions' },
  "OpenAI's Responses through its package": { dialect: 'responses', address: 'api.openai.com/v1', at: '/v1/responses' },
  "Azure's Responses through the package": {
    dialect: 'responses',
    address: 'mine.openai.azure.com',
    at: '/openai/v1/responses',
  },
  "Anthropic's Messages": { dialect: 'messages', address: 'api.anthropic.com/v1', at: '/v1/messages' },
} as const satisfies Readonly<Record<string, Way>>;
type WayName = keyof typeof ways;
const wayNames = Object.keys(ways) as WayName[];

/** What a provider says, as its maker writes it: the status, the body, the sentence that the person gets of it. */
type Said = readonly [status: number, body: string, sentence: string];

const openAi = (status: number, message: string, code: string | null = null, param: string | null = null): Said => [
  status,
  JSON.stringify({ error: { message, type: 'invalid_request_error', param, code } }),
  message,
];
const azure = (status: number, message: string, code = String(status)): Said => [
  status,
  JSON.stringify({ error: { code, message } }),
  message,
];
const anthropic = (status: number, type: string, message: string): Said => [
  status,
  JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' }),
  message,
];
const page = (status: number, title: string): Said => [
  status,
  `<html>\r\n<head><title>${title}</title></head>\r\n<body><center><h1>${title}</h1></center></body></html>`,
  `(a web page: ${title})`,
];

interface Row {
  readonly cause: Cause;
  readonly code?: string;
  /** By OpenAI, Azure, Anthropic, and a server of another maker (vLLM, llama.cpp, Mistral, OpenRouter, Groq, nginx). */
  readonly by: readonly [openAi: Said, azure: Said, anthropic: Said, other: Said];
  readonly headers?: Readonly<Record<string, string>>;
  readonly times?: number;
}

const same = (said: Said): Row['by'] => [said, said, said, said];
const rows: Readonly<Record<string, Row>> = {
  '401': {
    cause: 'key',
    code: 'PROVIDER_AUTH',
    by: [
      openAi(401, 'Incorrect API key provided: ***. You can find your API key at the platform.', 'invalid_api_key'),
      azure(401, 'Access denied due to invalid subscription key or wrong API endpoint.'),
      anthropic(401, 'authentication_error', 'invalid x-api-key'),
      [401, '{"detail":"Unauthorized"}', 'Unauthorized'],
    ],
  },
  '403': {
    cause: 'permission',
    code: 'PROVIDER_AUTH',
    by: [
      openAi(403, 'Project `p` does not have access to model `m`', 'model_not_found'),
      azure(403, 'Access denied due to Virtual Network/Firewall rules.'),
      anthropic(403, 'permission_error', 'Your API key does not have permission to use the specified resource.'),
      [403, '{"error":{"code":403,"message":"Key limit exceeded"}}', 'Key limit exceeded'],
    ],
  },
  '404 of a model': {
    cause: 'model',
    by: [
      openAi(404, 'The model `m` does not exist or you do not have access to it.', 'model_not_found'),
      azure(404, 'The API deployment for this resource does not exist.', 'DeploymentNotFound'),
      anthropic(404, 'not_found_error', 'model: m'),
      [404, '{"object":"error","message":"The model `m` does not exist.","code":404}', 'The model `m` does not exist.'],
    ],
  },
  '400 of the window': {
    cause: 'overflow',
    times: 3, // the summary is refused as well, and the request that was made shorter without it
    by: [
      openAi(400, 'Your input exceeds the context window of this model.', 'context_length_exceeded', 'input'),
      azure(400, "This model's maximum context length is 4096 tokens.", 'context_length_exceeded'),
      anthropic(400, 'invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum'),
      [
        400,
        '{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}',
        'the request exceeds the available context size',
      ],
    ],
  },
  '400 of a picture': {
    cause: 'pictures',
    by: [
      openAi(400, 'Invalid image data.', 'invalid_image'),
      azure(400, 'Invalid image data.', 'BadRequest'),
      anthropic(400, 'invalid_request_error', 'messages.0.content.1.image.source.base64: invalid data'),
      [400, '{"object":"error","message":"m is not a multimodal model","code":400}', 'm is not a multimodal model'],
    ],
  },
  '400 of an effort': {
    cause: 'effort',
    by: [
      openAi(400, "Unsupported value: 'max'. Supported values are: 'low' and 'high'.", 'unsupported_value', 'effort'),
      azure(400, "Invalid value: 'max'. Supported values for effort are: 'low' and 'high'."),
      anthropic(400, 'invalid_request_error', "output_config.effort: Input should be 'low', 'medium' or 'high'"),
      [400, '{"error":{"message":"reasoning_effort must be one of low, high"}}', 'reasoning_effort must be one of low'],
    ],
  },
  '400 of what was said': {
    cause: 'content',
    by: [
      openAi(400, 'Your prompt was flagged as potentially violating our usage policy.', 'invalid_prompt'),
      azure(400, "The response was filtered due to Azure OpenAI's content management policy.", 'content_filter'),
      anthropic(400, 'invalid_request_error', 'Output blocked by content filtering policy'),
      [400, '{"error":{"message":"Refused by the safety system."}}', 'Refused by the safety system.'],
    ],
  },
  '400 of the request': {
    cause: 'request',
    by: [
      openAi(400, "Invalid schema for function 'x': array schema missing items.", 'invalid_function_parameters'),
      azure(400, "Invalid schema for function 'x'."),
      anthropic(400, 'invalid_request_error', 'tools.0.custom.input_schema: JSON schema is invalid'),
      [422, '{"detail":[{"loc":["body","x"],"msg":"field required"}]}', 'field required'],
    ],
  },
  '413': {
    cause: 'tooLarge',
    by: [
      openAi(413, 'Request too large.'),
      azure(413, 'Request body is too large.'),
      anthropic(413, 'request_too_large', 'Request exceeds the maximum size'),
      page(413, '413 Request Entity Too Large'),
    ],
  },
  '429 with Retry-After': {
    cause: 'rate',
    code: 'PROVIDER_RATE_LIMITED',
    headers: { 'retry-after': '7200' },
    by: [
      openAi(429, 'Rate limit reached for m in organization o on requests per min.', 'rate_limit_exceeded'),
      azure(429, 'Requests have exceeded the token rate limit of your current pricing tier.'),
      anthropic(429, 'rate_limit_error', "This request would exceed your organization's rate limit."),
      [
        429,
        '{"error":{"message":"Rate limit reached for model `m`","code":"rate_limit_exceeded"}}',
        'Rate limit reached',
      ],
    ],
  },
  '429 with the reset of a limit': {
    cause: 'rate',
    code: 'PROVIDER_RATE_LIMITED',
    headers: {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '2h0m0s',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2099-01-01T00:00:00Z',
    },
    by: same(openAi(429, 'Too many requests.')),
  },
  'spent credit': {
    cause: 'credit',
    by: [
      openAi(429, 'You exceeded your current quota, please check your plan and billing details.', 'insufficient_quota'),
      azure(429, 'The quota is spent; see billing.', 'insufficient_quota'),
      anthropic(400, 'invalid_request_error', 'You have reached your specified API usage limits.'),
      [402, '{"error":{"message":"Insufficient Balance"}}', 'Insufficient Balance'],
    ],
  },
  '5xx': {
    cause: 'busy',
    by: [
      openAi(500, 'The server had an error while processing your request.'),
      azure(503, 'The service is temporarily unable to process your request.', 'InternalServerError'),
      anthropic(529, 'overloaded_error', 'Overloaded'),
      [503, '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}', 'Loading model'],
    ],
  },
  'a web page with 502': { cause: 'busy', by: same(page(502, '502 Bad Gateway')) },
  'a web page in place of a reply': {
    cause: 'address',
    code: 'PROVIDER_BAD_RESPONSE',
    by: same(page(200, 'Sign in to the network')),
  },
};

/** An error after the beginning of a stream. */
const streamed: Readonly<Record<WayName, string>> = {
  'chat of a compatible server':
    'data: {"choices":[{"index":0,"delta":{"content":"I beg"}}]}\n\ndata: {"error":{"code":502,"message":"The engine is overloaded"},"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}\n\n',
  "OpenAI's chat through its package":
    'data: {"choices":[{"index":0,"delta":{"content":"I beg"}}]}\n\ndata: {"error":{"message":"The engine is overloaded","type":"server_error","param":null,"code":null}}\n\n',
  "OpenAI's Responses through its package":
    'event: response.created\ndata: {"type":"response.created","response":{"object":"response"}}\n\nevent: error\ndata: {"type":"error","code":"server_error","message":"The engine is overloaded","param":null}\n\n',
  "Azure's Responses through the package":
    'event: response.created\ndata: {"type":"response.created","response":{"object":"response"}}\n\nevent: response.failed\ndata: {"type":"response.failed","response":{"object":"response","status":"failed","error":{"code":"server_error","message":"The engine is overloaded"}}}\n\n',
  "Anthropic's Messages":
    'event: message_start\ndata: {"type":"message_start","message":{}}\n\nevent: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"The engine is overloaded"}}\n\n',
};

const key = 'k-1234567';
/** No name server is asked for it: a part of a name may have 63 letters. */
const unknownHost = `${'x'.repeat(64)}.test`;

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

interface Place {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Where a way asks, over `http:` or `https:`, by default through a proxy that is the model server itself. */
function placeOf(way: Way, scheme = 'http', proxy = new URL(server.url).origin): Place {
  const { address } = way;
  if (address === undefined) return { url: server.url, env: {} };
  return { url: `${scheme}://${address}`, env: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } };
}

const usage = { fresh: 9, cached: 0, written: 0, output: 1 };

/** A reply in the way's dialect. */
function replyOf({ dialect }: Way, ...parts: readonly Exclude<Part, { readonly reasoning: string }>[]): ServerReply {
  if (dialect === 'responses') return { raw: responsesStream({ id: 'a', parts, usage }) };
  if (dialect === 'messages') return { raw: messagesStream({ id: 'a', parts, usage }) };
  const calls = parts.flatMap((part) => ('call' in part ? [{ tool: part.call, input: part.input }] : []));
  const text = parts.map((part) => ('text' in part ? part.text : '')).join('');
  return { text, calls };
}

/** `vise exec` in a folder of its own, as often as is asked; nothing is sent again by itself. */
function openFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-faults-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, 'home');
  mkdirSync(join(home, 'config'), { recursive: true });
  writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({ llm_retries: 0 }));
  return async (way: Way, { url, env }: Place, ...words: readonly string[]) => {
    const io = createTestIo(folder, '', {
      ...{ VISE_HOME: home, PATH: process.env['PATH'], LLM_BASE_URL: url, LLM_MODEL: 'm', LLM_API_KEY: key },
      ...{ LLM_DIALECT: way.dialect, ...env },
    });
    const code = await main(['exec', '--mode', 'direct', '--allow', 'dangerous', '--json', ...words], io);
    const facts = io.printed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Envelope);
    const end = facts.map(({ event }) => event).find((event) => event.type === 'turn.finished');
    expect(io.printed.out + io.printed.err).not.toContain(key);
    return { code, end, session: facts[0]?.session ?? '' };
  };
}

const write = { call: 'write_file', input: { filePath: 'a.txt', content: 'kept' } };

/**
 * A turn writes a file and meets a fault behind it, or the next one does where the place itself is bad; the person is told
 * one sentence, and the session goes on with all of it.
 */
async function expectAdvice(
  way: Way,
  bad: { readonly place: Place; readonly at: string; readonly replies?: readonly ServerReply[] },
  wanted: { readonly code: string; readonly cause: Cause; readonly sentence: string },
): Promise<void> {
  const exec = openFolder();
  server.play(replyOf(way, write), ...(bad.replies ?? [replyOf(way, { text: 'Written.' })]));
  const first = await exec(way, placeOf(way), 'Write the file.');
  const failed = bad.replies ? first : await exec(way, bad.place, '--resume', first.session, 'Say more.');
  const message = failed.end?.error?.message ?? '';
  const remedy = advised({ code: 'INTERNAL', message: '.' }, wanted.cause, { provider: 'default', address: bad.at });
  expect({ exit: failed.code, code: failed.end?.error?.code, message }).toEqual({
    exit: 4,
    code: wanted.code,
    message: expect.stringContaining(wanted.sentence) as string,
  });
  expect(message.endsWith(remedy.message.slice(1))).toBe(true);
  expect(message).not.toMatch(/[\n{}]|undefined|\[object/);
  const count = server.requests.length;
  server.play(replyOf(way, { text: 'Here it is.' }));
  const resumed = await exec(way, placeOf(way), '--resume', first.session, 'Once more.');
  expect({ exit: resumed.code, text: resumed.end?.text }).toEqual({ exit: 0, text: 'Here it is.' });
  const asked = server.requests[count]?.text ?? '';
  for (const words of ['Write the file.', 'a.txt', 'Once more.']) expect(asked).toContain(words);
}

const kinds: Readonly<Record<WayName, 0 | 1 | 2 | 3>> = {
  'chat of a compatible server': 3,
  "OpenAI's chat through its package": 0,
  "OpenAI's Responses through its package": 0,
  "Azure's Responses through the package": 1,
  "Anthropic's Messages": 2,
};

describe.each(wayNames)('over %s', (name) => {
  const way: Way = ways[name];
  const addressOf = (place: Place): string => new URL(place.url).origin + way.at;

  test.each(Object.entries(rows))(
    '%s ends in one sentence that says what to do, and nothing is lost',
    async (_, row) => {
      const [status, body, sentence] = row.by[kinds[name]];
      const place = placeOf(way);
      const reply = { status, body: body.replace('***', key), headers: row.headers, times: row.times };
      await expectAdvice(
        way,
        { place, at: addressOf(place), replies: [reply] },
        { code: row.code ?? codeOf(status), cause: row.cause, sentence },
      );
    },
  );

  test('an error inside the stream ends in one sentence that says what to do, and nothing is lost', async () => {
    const place = placeOf(way);
    await expectAdvice(
      way,
      { place, at: addressOf(place), replies: [{ raw: streamed[name] }] },
      { code: 'PROVIDER_ERROR', cause: 'busy', sentence: 'The engine is overloaded' },
    );
  });

  test('a certificate that nobody vouches for ends in one sentence that says what to do, and nothing is lost', async () => {
    const port = await listen(createTlsServer(selfSigned));
    const place =
      way.address === undefined
        ? { url: `https://127.0.0.1:${port}/v1`, env: {} }
        : placeOf(way, 'https', `http://127.0.0.1:${await listen(tunnelTo(port))}`);
    await expectAdvice(
      way,
      { place, at: addressOf(place) },
      { code: 'PROVIDER_UNREACHABLE', cause: 'certificate', sentence: 'self-signed certificate' },
    );
  });

  test('a name that nobody knows ends in one sentence that says what to do, and nothing is lost', async () => {
    const place =
      way.address === undefined
        ? { url: `http://${unknownHost}/v1`, env: {} }
        : placeOf(way, 'http', `http://${unknownHost}:9`);
    await expectAdvice(
      way,
      { place, at: addressOf(place) },
      { code: 'PROVIDER_UNREACHABLE', cause: 'name', sentence: 'ENOTFOUND' },
    );
  });
});

function codeOf(status: number): string {
  return status === 429 ? 'PROVIDER_RATE_LIMITED' : 'PROVIDER_ERROR';
}

/** On the loopback until the test ends; connections that are still open are cut then. */
async function listen(given: Server): Promise<number> {
  const open = new Set<Socket>();
  given.on('connection', (socket: Socket) => open.add(socket));
  await new Promise<void>((resolve) => given.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => given.close(resolve));
  });
  return (given.address() as AddressInfo).port; // it listens on TCP
}

/** A proxy through which every name leads to one port of this machine. */
function tunnelTo(port: number): Server {
  const proxy = createServer();
  proxy.on('connect', (_request, near: Socket) => {
    const far = connect(port, '127.0.0.1', () => near.write('HTTP/1.1 200 Connection Established\r\n\r\n'));
    far.pipe(near);
    near.pipe(far);
    for (const [one, other] of [[near, far] as const, [far, near] as const])
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  return proxy;
}
