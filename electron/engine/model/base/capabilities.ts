import { type DialectName, dialectNames } from '../../../../shared/model/dialect.ts';

/** What was learnt about one model of one provider, always from an answer of the server, never guessed. */
export interface Capabilities {
  /** `text` after the server refused native tools. */
  readonly tools?: 'native' | 'text';
  /** The wire format that the server named when it refused another. */
  readonly dialect?: DialectName;
  readonly temperature?: boolean;
  readonly streamUsage?: boolean;
  readonly maxCompletionTokens?: boolean;
  /** Whether the reasoning of earlier replies must be sent back. */
  readonly echoReasoning?: boolean;
  /** The server sends reasoning as blocks, which it wants back as they are. */
  readonly reasoningDetails?: boolean;
  /** False where the model takes no effort. */
  readonly effort?: boolean;
  /** False where no summary of the reasoning may be asked for. */
  readonly summary?: boolean;
  readonly thinking?: 'adaptive' | 'budget' | 'none';
  /** Tokens of the window, and of one reply. */
  readonly window?: number;
  readonly maxOutput?: number;
}

export interface CapabilityMemory {
  get(provider: string, model: string): Capabilities;
  learn(provider: string, model: string, what: Capabilities): void;
}

/** Remembers as long as the process lives; `onLearnt` gets what is new of one model, to be kept where a host keeps state. */
export class Remembered implements CapabilityMemory {
  readonly #known = new Map<string, Capabilities>();
  readonly #onLearnt: (key: string, what: Capabilities) => void;

  constructor(known: unknown = {}, onLearnt: (key: string, what: Capabilities) => void = () => {}) {
    this.#onLearnt = onLearnt;
    if (typeof known !== 'object' || known === null) return;
    for (const [key, value] of Object.entries(known)) this.#known.set(key, readCapabilities(value));
  }

  get(provider: string, model: string): Capabilities {
    return this.#known.get(keyOf(provider, model)) ?? {};
  }

  learn(provider: string, model: string, what: Capabilities): void {
    const key = keyOf(provider, model);
    this.#known.set(key, { ...this.#known.get(key), ...what });
    this.#onLearnt(key, what);
  }
}

function keyOf(provider: string, model: string): string {
  return `${provider} ${model}`;
}

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
const isOneOf =
  (...words: readonly unknown[]) =>
  (value: unknown): boolean =>
    words.includes(value);

const valid: Readonly<Record<keyof Capabilities, (value: unknown) => boolean>> = {
  tools: isOneOf('native', 'text'),
  dialect: isOneOf(...dialectNames),
  temperature: isBoolean,
  streamUsage: isBoolean,
  maxCompletionTokens: isBoolean,
  echoReasoning: isBoolean,
  reasoningDetails: isBoolean,
  effort: isBoolean,
  summary: isBoolean,
  thinking: isOneOf('adaptive', 'budget', 'none'),
  window: isCount,
  maxOutput: isCount,
};

/** A file may hold anything; only what is understood is kept. */
function readCapabilities(value: unknown): Capabilities {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value).filter(([key, item]) => valid[key as keyof Capabilities]?.(item) === true);
  return Object.fromEntries(entries); // each entry was checked by the table
}
