import type { ReplyFormat } from '../base/dialect.ts';
import { cutFault, emptyFault, type Fault, fault, streamedFault, unexpected } from '../base/fault.ts';
import { isObject, parseJson } from '../base/json.ts';
import { replyBounds, tooMuch } from './replyBounds.ts';
import { SseDecoder } from './sseDecoder.ts';

/** A body that is not a stream is gathered up to this size (characters). */
const maxBodyChars = 32 * 1024 * 1024;

/**
 * Makes values of the bytes of one answer and hands them to the format. The first visible character decides what it is,
 * not the content type, which is often wrong: `{` is a whole JSON body, `<` a web page, anything else an event stream.
 */
export class AnswerReader {
  readonly #format: ReplyFormat;
  readonly #bytes = new TextDecoder(); // replaces what is not UTF-8, drops a BOM, joins characters split between pieces
  readonly #sse: SseDecoder;
  #kind: 'unknown' | 'stream' | 'body' = 'unknown';
  #size = 0;
  #body: string[] = [];
  #bodyChars = 0;
  /** The first characters of a stream, to show when there was no event in it. */
  #head = '';
  #junk: string | undefined;
  #fault: Fault | undefined;

  constructor(format: ReplyFormat) {
    this.#format = format;
    this.#sse = new SseDecoder((data, event) => this.#payload(data, event));
  }

  /** True once nothing more can change the reply. */
  get complete(): boolean {
    return this.#fault !== undefined || this.#format.complete;
  }

  /** True from the reply's end on: only the usage may still come. */
  get finishing(): boolean {
    return this.#format.finishing;
  }

  push(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size > replyBounds.bytes) this.#fault ??= tooMuch(`more than ${replyBounds.bytes} bytes`);
    this.#take(this.#bytes.decode(bytes, { stream: true }));
    this.#format.flush();
  }

  /** The answer is over. Emits what the format makes of it, or says why this was no reply. */
  end(): Fault | undefined {
    this.#take(this.#bytes.decode());
    if (this.#kind === 'stream') this.#sse.end();
    else this.#fault ??= this.#wholeBody(this.#body.join(''));
    this.#format.flush();
    return this.#fault ?? this.#close();
  }

  #take(text: string): void {
    if (text === '' || this.#fault) return;
    if (this.#kind === 'unknown') {
      const first = /\S/.exec(text)?.[0];
      if (first !== undefined) this.#kind = '{[<'.includes(first) ? 'body' : 'stream';
    }
    if (this.#kind === 'stream') {
      if (this.#head.length < 500) this.#head += text.slice(0, 500);
      this.#sse.push(text);
      if (this.#sse.tooLong) this.#fault ??= tooMuch('an event without end');
    } else if (this.#kind === 'body') {
      this.#body.push(text);
      this.#bodyChars += text.length;
      if (this.#bodyChars > maxBodyChars) this.#fault = tooMuch(`a body of more than ${maxBodyChars} characters`);
    }
  }

  #wholeBody(body: string): Fault | undefined {
    if (body.trim() === '') return emptyFault();
    const value = parseJson(body);
    if (!isObject(value)) return unexpected(body);
    const failed = streamedFault(value) ?? this.#format.take(value, '');
    if (failed) return failed;
    if (!this.#format.started) return unexpected(body);
    this.#format.done();
    return undefined;
  }

  #payload(data: string, event: string): void {
    if (this.complete) return;
    const trimmed = data.trim();
    if (trimmed === '') return;
    if (this.#junk !== undefined) {
      this.#fault = fault('PROVIDER_BAD_RESPONSE', unexpected(this.#junk).failure.message, true);
      return;
    }
    if (trimmed === '[DONE]') return this.#format.done();
    const value = parseJson(trimmed);
    if (isObject(value)) {
      const error = streamedFault(event === 'error' && !isObject(value.error) ? { error: value } : value);
      this.#fault = error ?? this.#format.take(value, event);
      return;
    }
    // Servers that put no blank line between their events give several lines here; each must then be whole.
    const lines = trimmed.split('\n');
    if (lines.length > 1 && lines.every((line) => line.trim() === '[DONE]' || isObject(parseJson(line)))) {
      for (const line of lines) this.#payload(line, event);
      return;
    }
    // Not judged before more comes: at the end of the stream it was cut off, before that it is junk.
    this.#junk = trimmed;
  }

  #close(): Fault | undefined {
    const { started } = this.#format;
    if (this.#junk !== undefined) return started ? cutFault() : unexpected(this.#junk);
    if (!started) return /^\s*(:|data|event|id|retry|$)/.test(this.#head) ? emptyFault() : unexpected(this.#head);
    return this.#format.close();
  }
}
