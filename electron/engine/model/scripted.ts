import { readFile } from 'node:fs/promises';
import { fail, type Result } from '../../../shared/result.ts';
import { type Clock, wait } from '../base/clock.ts';
import type { ModelClient, ModelEvent, ModelRequest } from './base/port.ts';
import { readScript, type ScriptedReply } from './script.ts';
import { startStream } from './wire/attempts.ts';
import type { EventQueue } from './wire/eventQueue.ts';

/** FILE_NOT_FOUND or CONFIG_INVALID, in words that name the file. */
export async function loadScript(file: string): Promise<Result<readonly ScriptedReply[]>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return fail(
      'FILE_NOT_FOUND',
      `Script ${file} cannot be read (${why}). Give its path with --script or VISE_SCRIPT.`,
    );
  }
  return readScript(text, file);
}

/**
 * Plays the replies of a script, one a request, in order. After the last it ends the turn: an empty reply whose finish
 * has `raw: 'end_of_script'`. `used` replies are skipped: so a resumed session goes on where it was.
 */
export class ScriptedClient implements ModelClient {
  readonly #replies: readonly ScriptedReply[];
  readonly #clock: Clock;
  #next: number;

  constructor(replies: readonly ScriptedReply[], clock: Clock, used = 0) {
    this.#replies = replies;
    this.#clock = clock;
    this.#next = used;
  }

  /** How many replies were played. */
  get used(): number {
    return this.#next;
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    if (signal.aborted) return startStream(signal, async () => {}); // an unsent request uses up no reply
    const place = this.#next;
    this.#next += 1;
    return startStream(signal, (queue, stop) => this.#play(this.#replies[place], place, request, queue, stop));
  }

  dispose(): void {}

  async #play(
    reply: ScriptedReply | undefined,
    place: number,
    request: ModelRequest,
    queue: EventQueue,
    signal: AbortSignal,
  ): Promise<void> {
    if (!reply) return queue.end({ type: 'finish', reason: 'stop', raw: 'end_of_script' });
    if (reply.delayMs > 0 && !(await wait(this.#clock, reply.delayMs, signal))) return;
    for (const type of ['reasoning', 'text'] as const) {
      for (const text of pieces(reply[type], reply.chunk)) {
        queue.push({ type, text });
        // Between two pieces the consumer gets its turn, as with a network.
        await new Promise((resolve) => setImmediate(resolve));
        if (signal.aborted) return;
      }
    }
    for (const [index, call] of reply.calls.entries()) {
      const argumentsText = JSON.stringify(call.input);
      queue.push({ type: 'call', id: `script_${place + 1}_${index + 1}`, name: call.tool, argumentsText });
    }
    queue.push({ type: 'usage', usage: estimated(request, reply) });
    queue.end({ type: 'finish', reason: reply.calls.length > 0 ? 'calls' : 'stop' });
  }
}

/** Cut between code points, so that no piece ends in half a character. */
function* pieces(text: string, size: number): Generator<string> {
  let from = 0;
  while (from < text.length) {
    let end = Math.min(text.length, from + size);
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last < 0xdc00 && end < text.length) end += 1;
    yield text.slice(from, end);
    from = end;
  }
}

/** Four characters a token, the usual rule of thumb: there is no tokenizer of a script. */
function estimated(request: ModelRequest, reply: ScriptedReply) {
  const asked = request.messages.reduce((sum, message) => sum + message.text.length, request.system.length);
  const written = reply.text.length + reply.reasoning.length + JSON.stringify(reply.calls).length;
  return {
    requests: 1,
    input: Math.ceil(asked / 4),
    output: Math.ceil(written / 4),
    cached: 0,
    reasoning: Math.ceil(reply.reasoning.length / 4),
  };
}
