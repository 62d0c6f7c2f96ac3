/** What was learnt about one model of one provider, always from an answer of the server, never guessed. */
export interface Capabilities {
  /** `text` after the server refused native tools. */
  readonly tools?: 'native' | 'text';
  readonly temperature?: boolean;
  readonly streamUsage?: boolean;
  readonly maxCompletionTokens?: boolean;
  /** Whether the reasoning of earlier replies must be sent back. */
  readonly echoReasoning?: boolean;
  /** The server sends reasoning as blocks, which it wants back as they are. */
  readonly reasoningDetails?: boolean;
}

export interface CapabilityMemory {
  get(provider: string, model: string): Capabilities;
  learn(provider: string, model: string, what: Capabilities): void;
}

/** Remembers as long as the process lives; `onChange` gets everything, to be written where a host keeps state. */
export class Remembered implements CapabilityMemory {
  readonly #known = new Map<string, Capabilities>();
  readonly #onChange: (all: Readonly<Record<string, Capabilities>>) => void;

  constructor(known: unknown = {}, onChange: (all: Readonly<Record<string, Capabilities>>) => void = () => {}) {
    this.#onChange = onChange;
    if (typeof known !== 'object' || known === null) return;
    for (const [key, value] of Object.entries(known)) this.#known.set(key, readCapabilities(value));
  }

  get(provider: string, model: string): Capabilities {
    return this.#known.get(keyOf(provider, model)) ?? {};
  }

  learn(provider: string, model: string, what: Capabilities): void {
    this.#known.set(keyOf(provider, model), { ...this.get(provider, model), ...what });
    this.#onChange(Object.fromEntries(this.#known));
  }
}

function keyOf(provider: string, model: string): string {
  return `${provider} ${model}`;
}

/** A file may hold anything; only what is understood is kept. */
function readCapabilities(value: unknown): Capabilities {
  if (typeof value !== 'object' || value === null) return {};
  const raw = value as Readonly<Record<string, unknown>>;
  return {
    ...(raw.tools === 'text' || raw.tools === 'native' ? { tools: raw.tools } : {}),
    ...(typeof raw.temperature === 'boolean' ? { temperature: raw.temperature } : {}),
    ...(typeof raw.streamUsage === 'boolean' ? { streamUsage: raw.streamUsage } : {}),
    ...(typeof raw.maxCompletionTokens === 'boolean' ? { maxCompletionTokens: raw.maxCompletionTokens } : {}),
    ...(typeof raw.echoReasoning === 'boolean' ? { echoReasoning: raw.echoReasoning } : {}),
    ...(typeof raw.reasoningDetails === 'boolean' ? { reasoningDetails: raw.reasoningDetails } : {}),
  };
}
