import type { ModelInfo } from '../../../shared/model/modelInfo.ts';
import { noUsage, type Usage } from '../../../shared/model/usage.ts';
import type { Failure, Result } from '../../../shared/result.ts';
import type { ModelClient } from '../model/base/port.ts';

/** What came of trying a provider: its models, and one word of the one that is to be asked. */
export interface TriedProvider {
  /** Empty where its server lists none. */
  readonly models: readonly ModelInfo[];
  /** Null where no model was named, or it did not answer. */
  readonly answer: string | null;
  readonly elapsedMs: number;
  readonly usage: Usage;
  readonly problem?: Failure;
}

const limitMs = 30_000;
const shownChars = 80;
const question = 'Answer with one word: ready';

/** Sends one small request. Its costs are told; whatever goes wrong is told as `problem`. */
export async function askOneWord(
  client: Result<ModelClient>,
  model: string,
  nowMs: () => number,
): Promise<Omit<TriedProvider, 'models'>> {
  const none = { answer: null, elapsedMs: 0, usage: noUsage };
  if (!client.ok) return { ...none, problem: client.error };
  const from = nowMs();
  let answer = '';
  let usage = noUsage;
  try {
    const request = { system: '', messages: [{ role: 'user', text: question }], tools: [], model } as const;
    for await (const event of client.value.stream(request, AbortSignal.timeout(limitMs))) {
      if (event.type === 'text') answer += event.text;
      if (event.type === 'usage') ({ usage } = event);
      if (event.type === 'failed') return { ...none, elapsedMs: nowMs() - from, usage, problem: event.error };
    }
    return { answer: answer.trim().slice(0, shownChars), elapsedMs: nowMs() - from, usage };
  } finally {
    client.value.dispose();
  }
}
