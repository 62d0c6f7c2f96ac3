import type { Failure } from '../../../../shared/result.ts';

/** Why a provider did not answer, as far as its status and its words tell; each has one thing that the person can do. */
export type Cause = keyof typeof remedies;

/** `{name}` is the provider, `{at}` its address. */
const remedies = {
  key: 'Set a valid key for {name} ({at}) in Settings, Providers, or with "vise config --provider {name} --api-key-stdin".',
  permission: 'Let the key of {name} ({at}) use this model there, or choose another model.',
  credit: "Add credit on the provider's billing page, or choose another provider.",
  model:
    'Choose a model that the provider offers; the model menu and "vise config --provider {name} --models" list them.',
  address:
    'Nothing of an API is at {at}: set its root (as a rule it ends in /v1) in Settings, Providers, or with "vise config --provider {name} --base-url URL".',
  overflow: 'Choose a model with a larger window, or begin a new session.',
  tooLarge: 'Leave out pictures or long attachments, or begin a new session.',
  pictures: 'Choose a model that takes pictures, or leave them out.',
  effort: 'Choose an effort that the model has, or none.',
  content: 'Say it in other words, or choose another model: the provider refuses what was asked.',
  request:
    'Choose another model or dialect (--dialect); "llm_debug": true keeps what was sent in logs/llm_debug.jsonl.',
  rate: 'Wait a while, or choose another model or provider.',
  busy: 'The fault is at the provider: try again later, or choose another one.',
  certificate: 'Check the address; where a proxy brings its own certificate, set NODE_EXTRA_CA_CERTS to its file.',
  name: 'Check the address ({at}) and any proxy (HTTPS_PROXY) for a slip, and the network.',
  refused:
    'Start the server of {name}, or set its address ({at}) in Settings, Providers, or with "vise config --provider {name} --base-url URL".',
  network: 'Check the network and any proxy (HTTPS_PROXY), then try again.',
  silence: 'Try again, or raise LLM_TIMEOUT where the model takes long to begin.',
} as const;

/** What to do where no model is set up. */
export const noModelRemedy = [
  'One of these sets it up:',
  '  A local one: vise config --provider ollama --model NAME',
  '  One with a key: vise config --provider openai --model NAME --api-key-stdin',
  '  Any other: vise config --provider NAME --base-url URL --model NAME',
  '  By variables: LLM_BASE_URL, LLM_MODEL and LLM_API_KEY',
].join('\n');

interface Row {
  readonly cause: Cause;
  readonly status?: readonly number[];
  readonly words?: RegExp;
}

/** The first row that fits counts: words are surer than a status, which many servers choose at will. */
const rows: readonly Row[] = [
  {
    cause: 'overflow',
    status: [400, 413, 422, 500],
    words:
      /context_length_exceeded|exceed_context_size|maximum context length|context (?:length|window|size).{0,60}exceed|exceeds?.{0,60}context|prompt is too long|input (?:is too long|length.{0,40}exceed)|input token count.{0,40}exceeds|too many (?:input |prompt )?tokens/i,
  },
  {
    cause: 'credit',
    words:
      /insufficient_quota|billing|specified API usage limits|credit balance|insufficient (?:credits|balance|funds)|exceeded your current quota/i,
  },
  { cause: 'credit', status: [402] },
  { cause: 'key', status: [401] },
  {
    cause: 'key',
    status: [400, 403],
    words: /api[ _-]?key.{0,30}(?:invalid|not valid|expired|missing)|invalid.{0,20}api[ _-]?key/i,
  },
  { cause: 'permission', status: [403] },
  { cause: 'permission', status: [400, 404], words: /organization must be verified/i },
  { cause: 'rate', status: [429] },
  {
    cause: 'model',
    status: [400, 404],
    words:
      /model.{0,80}(?:not (?:exist|found|available)|unknown|does not exist|invalid)|deployment.{0,80}(?:does not exist|not found)|(?:no|unknown|invalid) (?:such )?model|not_found_error.{0,40}model/i,
  },
  { cause: 'address', status: [404, 405, 301, 302, 303, 307, 308] },
  { cause: 'tooLarge', status: [413] },
  {
    cause: 'content',
    status: [400, 403, 422],
    words: /content[_ ](?:policy|filter|management)|safety|usage polic|flagged/i,
  },
  { cause: 'pictures', status: [400, 404, 415, 422], words: /image|vision|multimodal/i },
  { cause: 'effort', status: [400, 422], words: /effort/i },
  { cause: 'busy', status: [408, 409, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529] },
];

/** The cause of a refusal. */
export function causeOf(status: number, words: string): Cause {
  const found = rows.find(
    (row) =>
      (row.status === undefined || row.status.includes(status)) && (row.words === undefined || row.words.test(words)),
  );
  return found?.cause ?? (status >= 500 ? 'busy' : 'request');
}

/** The cause of a connection that was not made or was lost, by Node's code. */
export function networkCause(code: string): Cause {
  if (/^(?:CERT_|ERR_TLS|ERR_SSL|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)|^EPROTO$/.test(code)) return 'certificate';
  if (code === 'ENOTFOUND') return 'name';
  return code === 'ECONNREFUSED' ? 'refused' : 'network';
}

/** Whom a request asked: the name in the settings, and the address without what may be secret in it. */
export interface AskedProvider {
  readonly provider: string;
  readonly address: string;
}

/** The failure with what to do about it as its last sentence. */
export function advised(failure: Failure, cause: Cause | undefined, { provider, address }: AskedProvider): Failure {
  if (cause === undefined) return failure;
  const { message } = failure;
  const name = /^[\w.-]+$/.test(provider) ? provider : JSON.stringify(provider);
  const remedy = remedies[cause].replaceAll('{name}', name).replaceAll('{at}', address);
  const details = typeof failure.details === 'object' ? failure.details : {};
  return {
    ...failure,
    message: `${message}${/[.!?…]$/.test(message) ? '' : '.'} ${remedy}`,
    details: { ...details, cause },
  };
}
