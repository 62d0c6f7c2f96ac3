import type { SessionEvent, WrittenCall } from '../../../shared/model/event.ts';
import { addUsage, noUsage, type Usage } from '../../../shared/model/usage.ts';
import type { Failure } from '../../../shared/result.ts';
import { randomText } from '../base/ids.ts';
import { parseCallArguments } from '../model/base/callArguments.ts';
import type { FinishReason, ModelClient, ModelEvent, ModelRequest } from '../model/base/port.ts';

export interface Reply {
  readonly text: string;
  readonly reasoning: string;
  readonly reasoningDetails?: readonly unknown[];
  readonly calls: readonly WrittenCall[];
  readonly usage: Usage;
  readonly reason: FinishReason;
  /** A script had no more replies: the turn is over, whatever the phase. */
  readonly scriptEnded: boolean;
  /** What stayed wrong with a call in text after all corrections. */
  readonly malformed?: string;
  /** It was written into the text although the model calls natively. */
  readonly malformedNative?: boolean;
}

export type Asked = { readonly ok: true; readonly reply: Reply } | { readonly ok: false; readonly error: Failure };

/** One request and its whole reply. What streams is told at once; a lost part is taken back before it comes again. */
export async function askModel(
  client: ModelClient,
  request: ModelRequest,
  turn: string,
  emit: (event: SessionEvent) => void,
  nowMs: () => number,
  signal: AbortSignal,
): Promise<Asked> {
  let text = '';
  let reasoning = '';
  let calls: WrittenCall[] = [];
  let usage = noUsage;
  const hear = (event: ModelEvent): Asked | undefined => {
    switch (event.type) {
      case 'text':
        text += event.text;
        emit({ type: 'text.delta', turn, text: event.text });
        return undefined;
      case 'reasoning':
        reasoning += event.text;
        emit({ type: 'reasoning.delta', turn, text: event.text });
        return undefined;
      case 'callDelta':
        return undefined;
      case 'call':
        calls.push(writtenCall(event.name, event.argumentsText, event.extra));
        return undefined;
      case 'usage':
        usage = addUsage(usage, event.usage);
        return undefined;
      case 'retry':
        emit({
          type: 'notice',
          level: 'warning',
          code: 'retry',
          text: `${event.why} Trying again (${event.attempt} of ${event.attempts}).`,
          until: new Date(nowMs() + event.waitMs).toISOString(),
        });
        return undefined;
      case 'restart':
        text = '';
        reasoning = '';
        calls = [];
        emit({ type: 'text.restarted', turn });
        return undefined;
      case 'notice':
        emit({ type: 'notice', level: 'info', code: event.code, text: event.text });
        return undefined;
      case 'finish':
        return {
          ok: true,
          reply: {
            text,
            reasoning,
            calls,
            usage,
            reason: event.reason,
            scriptEnded: event.raw === 'end_of_script',
            malformed: event.malformed,
            reasoningDetails: event.reasoningDetails,
          },
        };
      case 'failed':
        return { ok: false, error: event.error };
    }
  };
  for await (const event of client.stream(request, signal)) {
    const end = hear(event);
    if (end) return end;
  }
  return {
    ok: false,
    error: { code: 'PROVIDER_BAD_RESPONSE', message: 'The model ended its reply without saying so.' },
  };
}

export function writtenCall(tool: string, argumentsText: string, extra: unknown): WrittenCall {
  const parsed = parseCallArguments(argumentsText);
  const input = parsed.ok ? parsed.value : undefined;
  const same = input !== undefined && JSON.stringify(input) === argumentsText;
  return {
    id: newCallId(),
    tool,
    input,
    ...(same ? {} : { argumentsText }),
    extra,
  };
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Our own id, sent back instead of the provider's: those repeat across replies and are missing from some. Nine letters
 * and digits, because Mistral's API takes no other form.
 */
function newCallId(): string {
  return `c${randomText(8, letters)}`;
}

/** What every usage event tells beside the counts. */
export function spent({ cost, cached }: Usage): { readonly cost: number | null; readonly cachedInput: number } {
  return { cost: cost ?? null, cachedInput: cached };
}
