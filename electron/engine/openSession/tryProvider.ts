import type { ModelInfo } from '../../../shared/model/modelInfo.ts';
import { noUsage, type Usage } from '../../../shared/model/usage.ts';
import type { Failure, Result } from '../../../shared/result.ts';
import type { ModelClient, ModelRequest } from '../model/base/port.ts';

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
  const from = nowMs();
  const request: ModelRequest = { system: '', messages: [{ role: 'user', text: question }], tools: [], model };
  const { answer, usage, problem } = await askOnce(client, request, AbortSignal.timeout(limitMs));
  const elapsedMs = client.ok ? nowMs() - from : 0;
  if (problem !== undefined) return { answer: null, elapsedMs, usage, problem };
  return { answer: answer.trim().slice(0, shownChars), elapsedMs, usage };
}

/** One request without tools; the client ends with it. */
export async function askOnce(
  client: Result<ModelClient>,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<{ readonly answer: string; readonly usage: Usage; readonly problem?: Failure }> {
  if (!client.ok) return { answer: '', usage: noUsage, problem: client.error };
  let answer = '';
  let usage = noUsage;
  try {
    for await (const event of client.value.stream(request, signal)) {
      if (event.type === 'text') answer += event.text;
      if (event.type === 'usage') ({ usage } = event);
      if (event.type === 'failed') return { answer, usage, problem: event.error };
    }
    return { answer, usage };
  } finally {
    client.value.dispose();
  }
}
